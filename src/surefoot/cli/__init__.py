"""`surefoot ...`: one file per group of commands. Synchronous throughout; heavy imports stay inside commands."""
