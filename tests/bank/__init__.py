"""A bank and a shipping desk as ordinary LangChain tools, with contracts, for the middleware's tests."""
