"""The public functions: boards and plain arguments in, plain values out.

    questions.py   the questions about one board: numbers, verdicts, the solution
    clue_questions.py   the questions about the clues of a puzzle, and how it is solved
    solution_lists.py   the questions about one board whose answers are solutions of a list
    many_boards.py      the questions about many boards
    making.py           puzzles: minimal ones inside a board, and new ones
    symmetries.py  the questions about symmetric boards
    arrays.py      answers as arrays of numpy
    filling.py     arrays that are filled with solutions
    ledgers.py     the questions about a checkpoint
    signatures.py  what `help` and completion show of keywords that functions share

`enumerator/__init__.py` exports them lazily. `enumerator/questions/` implements them.
"""
