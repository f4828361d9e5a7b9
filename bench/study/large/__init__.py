"""Boards beyond 9×9: our engines and other programs on the same boards, in one run.

Modules:

    command.py   the command `python -m bench large`
    cases.py     the boards, in sections
    contest.py   the programs, and the measurements by turns
    trial.py     one measurement in a new process
    bounds.py    the printed tables, and what the figures must show
"""
