"""What several test modules share. Workers can import these modules, too.

boards          boards by name, random ones, rearranged ones; a checker that shares nothing with the engines
canonical_forms  canonical forms by brute force
kernels         the kernels of one instruction set, in a process of its own
counts          every engine that takes a shape, and `assert_count`, which shows a wrong count by branch
runs            pacings that divide everything at once, and what a run has left
cases           which tests run: those that need sources or a compiler, and the slow ones of many cases
processes       the command in a session of its own, its workers, what it writes on a terminal
surroundings    what tests depend on beside the code, set once for the whole run
leftovers       processes and files that a run leaves behind
lateness        how long something takes on a busy machine
in_process      the command in this process, with files for its streams
clusters        a Dask scheduler and its workers
ledgers         ledgers, and plans that write them
marks           boards with pencil marks
pictures        colours, as a reader sees them
pages           the server of the page as a process, and requests to it
browsing        the page in Chromium, as fixtures
barriers        what axe finds on the page
pigeons         a board without a solution that no engine proves in time
solution_lists  the lists of engines
traces          traces of runs, read as viewers read them
walks           every compiled walk of a shape
verdicts        verdicts on hard boards
plain_solver    a solver that shares nothing with the package
brute_force     a whole engine in fifty lines
racing_engine   an engine that cannot predict its time
odd_workers     faults in workers
"""
