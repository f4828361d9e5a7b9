"""Commands that make files of the repository: boards, and the picture of the README."""
