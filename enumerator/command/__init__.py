"""The command `enumerate`."""
