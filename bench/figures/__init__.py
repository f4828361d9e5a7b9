"""The figures of results/: a function takes rows and returns a figure, or None without data.

Nothing in here measures. `bench/study/report.py` says which tables each figure is drawn from.
"""
