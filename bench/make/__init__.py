"""Commands that make files of the repository: boards, lists of puzzles, and the picture of the README."""
