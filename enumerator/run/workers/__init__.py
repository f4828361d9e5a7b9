"""Who does the work of a run: threads, processes, the machines of a cluster.

pools.py       workers and their tasks in flight
restarts.py    the processes of a driver: their start, their death and their restart
executors.py   processes: loky, joblib
threads.py     threads, as many as can be started
cluster.py     the workers of a Dask cluster
remote.py      calls that travel to these workers, and the errors of a cluster
"""
