"""The tables of results/: what a row is, files of rows, facts about the machine, and what follows from rows."""
