"""The figures of results/: a function takes rows and returns a figure, or None without data.

Nothing in here measures. `bench/study/report.py` says which tables each figure is drawn from.

    speedup.py       speed-up, measured and simulated
    correlation.py   correlations, and sequential times over properties of boards
    cutoff.py        cut-offs
    timeline.py      who worked when
    tree.py          the first levels of a tree
    scaling.py       both engines over numbers of clues
    peers.py         other programs
    regret.py        what the choice of an engine costs
    style.py         the look of figures: sizes, colours, labels, SVG
"""
