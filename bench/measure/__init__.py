"""Commands that measure one thing each, mostly as ratios within one run, and print it.

Modules:

    walk.py          the walk, as a ratio to the yardstick
    contraction.py   counting without walking
    hardest.py       boards that the contraction takes long for, by hill-climbing
    puzzles.py       puzzles classified a second
    canonical.py     canonical forms a second; essentially different solutions
    sameness.py      the same in numbers: `canonical --full`
    solutions.py     lists, the n-th solution, samples, candidates
    clues.py         counts without each clue
    generate.py      puzzles made a second, and their shares by clues
    library.py       batches, Python, arrays, pipes
    arrays.py        the rates of arrays that `library` prints
    pipes.py         the rates of pipes that `library` prints
    parallel.py      the costs of many cores
    startup.py       time and memory of a short command
    ledger.py        the costs of a ledger
    cluster.py       a Dask cluster on this machine against processes
"""
