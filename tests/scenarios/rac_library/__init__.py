"""The published library for agent compensation and Surefoot, on the same four cases."""
