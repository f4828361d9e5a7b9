"""Helpers of all rooms: commands as processes, memory, boards.

Modules:

    boards.py     boards of files, with few clues, full at random, without some clues
    puzzles.py    lists of puzzles, ours and published ones
    options.py    options that several commands have
    commands.py   programs as processes; the end of a command by a mistake
    cluster.py    a Dask cluster on this machine
    browser.py    the page in Chromium
    outside.py    solvers that the user has, by path
    cutoffs.py    cut-offs that make so many parts of a tree
    covers.py     a board as an exact cover, for other programs
    reference.py  the walk over the tree of guesses in plain Python, to compare kernels with
    position.py   the board that it works on
    memory.py     memory of processes, from /proc
"""
