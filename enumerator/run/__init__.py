"""Running work of any kind: on one core, on many cores, in other processes or on a cluster.

    plan            cores, limits, the engine; the errors that end a run
    pacing          every tunable of a run
    chooser         engine selection
    local           the single-core start of a count
    counting        a count from its beginning to its end
    driver          a count on many cores
    stock           the parts that wait for a worker
    pools           workers and their tasks in flight
    executors       processes: loky, joblib
    threads         threads, as many as can be started
    cluster         Dask; remote: calls that travel to its workers
    signals         interrupts
    ordered         a map on threads, with its results in order
    readahead       reading ahead of a map
    batches         many boards in order, in processes, through joblib
    solution_file   writing solutions to files and pipes, compressed or not
    memory          the memory of this machine
    progress        the progress of a question, and stopping it
    ledger          the file that records which parts are done

`README.md` explains the design decisions, with measurements.
"""
