"""Helpers of all rooms: commands as processes, memory, boards."""
