"""The study: commands that fill the tables of results/, and the report on them.

session, options, trial    a run of many measurements; its options; one count in a new process
speedup, cutoff, scaling   commands that measure counts
tasks, costs               the data of the simulation
peers, programs            other programs, and how each counts
large                      boards beyond 9×9, by our engines and other programs
simulate, correlation      commands that compute tables from tables
report, page               everything on one page, with figures
"""
