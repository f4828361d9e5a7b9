"""Counting on many cores: splitting, executors, and the driver that keeps them busy."""
