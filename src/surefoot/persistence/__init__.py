"""Persistence: the stores of ledger, consents, leases, events, runs and checkpoints, on SQLite and PostgreSQL."""
