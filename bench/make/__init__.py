"""Commands that make files of the repository.

Modules:

    boards.py    the boards of boards/, and the table in its README
    large.py     the boards of boards/large/, and the table in its README
    minimal.py   the lists of bench/puzzles/
    picture.py   the picture of candidates in the README
    page.py      the picture of the page in the README
    shell.py     the completions and the manual page of the command
"""
