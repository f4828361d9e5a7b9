"""The questions that can be asked of a board, one module each.

    checks.py            checks of the arguments of Python functions
    ask.py               a question in progress: its deadline, its end, its partial answer
    plans.py             engines by name, plans, clusters: what faces need besides questions
    checkpoints.py       the ledgers of questions that can be resumed
    progress_bar.py      when a progress bar is shown
    bars.py              its drawing in a terminal or a notebook
    count.py             the number of solutions
    count_answer.py      its answer
    lister.py            the solutions of many boards, as lines
    repeated.py          a count that is made several times, with the times
    traces.py            a count with a record of who worked when
    candidates.py        the number of solutions with each digit in each cell
    classify.py          the verdict: none, unique or multiple
    estimate.py          an estimate of the number of solutions and of the time of a count
    fixed_estimate.py    the same with a fixed number of probes, on every machine
    rounds.py            rounds of probes, shared by both
    listing.py           all solutions, in order
    resumable.py         solutions one by one, recorded in a ledger
    sample.py            uniformly random solutions
    verdict.py           unique, multiple, none or unknown, with the solution: the only way to one
    verify.py            the same count by another method
    solve.py             the solution of a board that has exactly one
    clues.py             the number of solutions without each clue, and which are superfluous
    complete.py          the fewest further clues that make a board unique
    unavoidable.py       sets of cells of a solution, one of which must be a clue
    minimal.py           the minimal puzzles inside a board
    generate.py          new puzzles
    solved_grids.py      random solved grids, of which they are made
    reducing.py          clues removed as long as a board has one solution
    patterns.py          puzzles with clues on given cells
    orbits.py            symmetries of the pattern of clues
    levels.py            how difficult a puzzle is, by rules.py
    canonical.py         the canonical form of a board; which of many boards are not symmetric to others
    different.py         the number of solutions up to the symmetries that fix the board
    solution_classes.py  one solution of each class of those that these symmetries lead to
    fixed/               the solutions that such a symmetry fixes, counted
    read.py              the first board of a text, with all that is needed to show it
    many.py              many boards: one at a time, on threads or in processes: the only place that does this
    chunks.py            the chunks of boards that go in there
    counter.py           the numbers of solutions of many boards
    singly.py            questions that processes are asked, one board at a time
    steps.py             a board solved step by step, recorded
    rules.py             the rules of these steps
    rule_patterns.py     the patterns that some rules look for: subsets and fish
    status.py            the state of a ledger
    audit.py             a recount of parts of a ledger
    solutions.py         lists and indexes, shared by listing, nth and sample
    gathering.py         anything that is many boards, in chunks
    fields.py            the fields of answers, from which all forms are made
    intervals.py         estimated numbers with their 95 % intervals

A question takes a board and a plan and returns a frozen answer with `to_dict()`. It prints nothing.
Every question takes a `watch`, which is called with its progress and may raise `Stopped`.
"""
