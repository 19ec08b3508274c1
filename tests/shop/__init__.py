"""A tiny shop for tests of the core: reserve an article, charge for it, say thanks."""
