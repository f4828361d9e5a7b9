"""The figures of results/: a function takes rows and returns a figure, or None where they show nothing.

Nothing in here measures. `bench/study/report.py` says which tables each figure is drawn from.
"""
