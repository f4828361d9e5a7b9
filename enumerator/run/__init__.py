"""Running work, whatever it is: on one core, on many, in other processes, on a cluster; with a ledger.

    plan        cores, limits, the engine; the errors that end a run
    pacing      every tunable of a run
    chooser     engine selection
    local       the single-core start of a count
    counting    a count from its beginning to its end
    driver      a count on many cores; stock: parts that wait; pools: workers and tasks in flight
    executors   threads, loky, joblib; cluster: Dask; signals: interrupts
    ordered     a map on threads, its results in order; readahead: reading ahead of it
    batches     many boards in order, through joblib
    progress    progress of a question, and how it is stopped
    ledger      the file that remembers which parts are done

`README.md` has the choices that were measured.
"""
