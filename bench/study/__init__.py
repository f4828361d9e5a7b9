"""The study: commands that fill the tables of results/, and the report on them.

Modules:

    study.py           the whole study by one command
    session.py         a run of many measurements, in rounds and by turns
    options.py         the options of these commands, and the boards that they choose
    trial.py           one count in a new process
    speedup.py         counts on one core and on several
    boards.py          a line and a row for each board that these were made of
    cutoff.py          counts that are split at cut-offs
    timeline.py        who worked when, by default and with cut-offs
    tree.py            the first levels of a tree, and who walked them
    scaling.py         both engines as clues are removed
    tasks.py           the work of each board in pieces, for the simulation
    costs.py           the costs of sharing it, for the simulation
    peers.py           other programs on the same boards
    peer_programs.py   how each of these programs counts
    regret.py          `auto` against each engine alone, over rearrangements
    large/             boards beyond 9×9, by our engines and other programs
    simulate.py        times on up to 4,096 simulated cores
    groups.py          the same with a driver for each group of workers
    correlation.py     correlations between the variables of saved runs
    lesson.py          a walk through the study: study.ipynb, run, as a page
    report.py          everything on one page, with figures
    page.py            the HTML of that page
"""
