"""What can be asked of a board: one module a question."""
