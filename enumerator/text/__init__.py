"""Words and numbers for people. Nothing here knows what a board is.

Modules:

    errors.py           the base class of errors in what a user asked for
    numbers.py          integers of thousands of digits
    phrases.py          numbers, durations and unprintable characters in messages
    partial_counts.py   numbers that may be lower bounds: at least 3 solutions, 3+
    columns.pyx         many answers to text, without the lock of the interpreter
"""
