"""The tables of results/: kinds of rows, files, facts about the machine, and analysis."""
