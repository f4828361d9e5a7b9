"""The driver's own code on a simulated machine, with a clock that only the simulation advances.

    forecast.py   a simulated count: pieces, costs and a number of cores in; seconds out
    division.py   who walks which piece of a tree, without any costs
    groups.py     drivers of drivers: groups of workers with stocks of their own
    replay.py     the job that the simulated driver runs: a walk over pieces
    world.py      the machine: time, cores, threads, the lock

What the tables hold, and what is simulated:

    piece      a subtree that was walked in one go, with its nodes and seconds (tasks.csv.gz)
    Replay     the job: tasks walk over pieces within their budget, and hand back the rest
    World      the time, the threads at work, and the interpreter's lock
    Costs      seconds spent besides the walk, all of them with the lock (costs.csv): by the driver
               for a task that it hands out and merges, and for splitting; by a thread for a task;
               for each part left
    crowded    the factor by which a walk is slower while other cores work (speedup-search.csv)

Walking needs no lock, all else does; so threads may have to wait for it, and on very many cores
they do. The driver has no core of its own. The time that it spends while all cores walk is taken
from one of them: it is charged to the next task. That any number of cores is crowded by as much as
those of this machine is an assumption. The run is one of threads, as those of less than some ten
seconds are.
"""
