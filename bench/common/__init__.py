"""What several rooms share: files, commands as processes, boards, and the driver with an observer."""
