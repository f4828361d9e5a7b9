"""The questions that can be asked of a board, one module each.

    count        the number of solutions
    candidates   the number of solutions with each digit in each cell
    classify     the verdict: none, unique or multiple
    estimate     an estimate of the number of solutions and of the time of a count
    fixed_estimate  the same with a fixed number of probes, on every machine
    rounds       rounds of probes, shared by both
    listing      all solutions, in order
    nth          the n-th solution
    sample       uniformly random solutions
    verify       the same count by another method
    solve        the solution of a board that has exactly one
    superfluous  the clues without which a board still has only one solution
    canonical    the canonical form of a board; which of many boards are not symmetric to others
    read         the first board of a text, with all that is needed to show it
    batches      counts, verdicts and solutions of many boards
    steps        a board solved step by step, recorded
    rules        the rules of these steps
    unique       the solution of a board with exactly one, shown with its count
    link         a link to the board on another site
    status       the state of a ledger
    audit        a recount of parts of a ledger
    solutions    lists and indexes, shared by listing, nth and sample
    blocks       many boards in blocks that a kernel works off
    gathering    anything that is many boards, in blocks
    facts        the facts about a board that every answer includes
    intervals    estimated numbers with their 95 % intervals

A question takes a board and a plan and returns a frozen answer with `to_dict()`. It prints nothing.
Every question takes a `watch`, which is called with its progress and may raise `Stopped`.
"""
