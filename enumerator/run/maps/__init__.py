"""Many items: maps on threads and in processes.

ordered.py     a map on threads, with its results in order
unordered.py   a map on threads, with its results as they come
readahead.py   reading ahead of a map
windows.py     many boards in order, in processes, through joblib
"""
