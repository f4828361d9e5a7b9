"""The questions that can be asked of a board, one module each.

A question takes a board and a plan and returns a frozen answer with `to_dict()`. It prints nothing.
Every question takes a `watch`, which is called with its progress and may raise `Stopped`.

    count        the number of solutions       listing, nth, sample   the solutions themselves
    candidates   digits in cells               classify               unique, multiple or none
    estimate     about how many                verify                 the same count in another way
    status       the state of a ledger         audit                  parts of a ledger recounted
"""
