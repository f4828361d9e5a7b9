"""Running work of any kind: on one core, on many cores, in other processes or on a cluster.

    plan.py            the plan of a run: cores, limits, engine, workers
    pacing.py          every tunable of a run
    endings.py         the ends of a question without a complete answer
    progress.py        the progress of a question, and stopping it
    signals.py         interrupts
    counting.py        a count from its beginning to its end
    local.py           the single-core start of a count
    chooser.py         engine selection by predictions
    course.py          how far two engines have come, and which is expected to finish first
    race.py            two engines that count the same board in turn on one core
    challenge.py       such a race beside a driver
    portfolio.py         several counts of the same board, each on a core of its own
    driver.py          a count on many cores
    observer.py        what a driver shows to those who watch it
    trace.py           one of these: a record of a run over time
    trace_records.py   what this record consists of
    trace_events.py    this record as trace events, for viewers
    stock.py           the parts that wait for a worker
    balance.py         the finished and the open shares of a run, which add up to 1
    workers/           threads, processes and clusters
    maps/              many items in order, on threads and in processes
    solution_file.py   writing solutions to files and pipes, compressed or not
    ledger/            the file that records which parts are done

`README.md` explains the design decisions, with measurements.
"""
