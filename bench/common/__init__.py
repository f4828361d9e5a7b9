"""Helpers of all rooms: commands as processes, memory, boards, and the driver with an observer."""
