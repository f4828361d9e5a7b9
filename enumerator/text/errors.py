"""The base class of the errors that this package raises on its own account."""

from __future__ import annotations


class EnumeratorError(Exception):
    """The base class of all errors of this package.

    Wrong arguments raise TypeError or ValueError instead, and files OSError. Each error is also one
    of Python's own, which the second column names:

        BoardError             ValueError          a text is not a board
        NoSolutionError        ValueError          a board to solve has no solution
        NotUniqueError         ValueError          a board to solve has several
        NoSuchSolutionError    IndexError          there is no solution with this number
        TooManySymmetriesError ValueError          a board has too many symmetries to list them
        OutOfTimeError         TimeoutError        the time limit has passed
        RunLostError           RuntimeError        workers died, or a checkpoint cannot be written
        LedgerError            ValueError          a file is not a checkpoint of this question
        ResumeError            ValueError          a file is not the one that the checkpoint belongs to
        Stopped                                    a progress function has stopped the question

    Ctrl-C raises Interrupted, a KeyboardInterrupt. It is not an EnumeratorError.

    >>> try:
    ...     en.solve("1234 .... .... ....")
    ... except en.EnumeratorError as error:
    ...     print(type(error).__name__)
    NotUniqueError
    """
