"""The questions that can be asked of a board, one module each.

    arguments.py         checks of the arguments of Python functions
    ask.py               a question in progress: its deadline, its end, its partial answer
    progress_bar.py      when a progress bar is shown
    bars.py              its drawing in a terminal or a notebook
    count.py             the number of solutions
    candidates.py        the number of solutions with each digit in each cell
    classify.py          the verdict: none, unique or multiple
    estimate.py          an estimate of the number of solutions and of the time of a count
    fixed_estimate.py    the same with a fixed number of probes, on every machine
    rounds.py            rounds of probes, shared by both
    estimated_time.py    the predicted time of a count, which goes with an estimate
    listing.py           all solutions, in order
    resumable.py         solutions one by one, recorded in a ledger
    nth.py               the n-th solution
    sample.py            uniformly random solutions
    verdict.py           unique, multiple, none or unknown, with the solution: the only way to one
    verify.py            the same count by another method
    solve.py             the solution of a board that has exactly one
    superfluous.py       the clues without which a board still has only one solution
    canonical.py         the canonical form of a board; which of many boards are not symmetric to others
    different.py         the number of solutions up to the symmetries that fix the board
    fixed/               the solutions that such a symmetry fixes, counted
    read.py              the first board of a text, with all that is needed to show it
    batches.py           counts, verdicts and solutions of many boards
    steps.py             a board solved step by step, recorded
    rules.py             the rules of these steps
    link.py              a link to the board on another site
    status.py            the state of a ledger
    audit.py             a recount of parts of a ledger
    solutions.py         lists and indexes, shared by listing, nth and sample
    blocks.py            many boards in blocks that a kernel works off
    gathering.py         anything that is many boards, in blocks
    facts.py             the facts about a board that every answer includes
    intervals.py         estimated numbers with their 95 % intervals

A question takes a board and a plan and returns a frozen answer with `to_dict()`. It prints nothing.
Every question takes a `watch`, which is called with its progress and may raise `Stopped`.
"""
