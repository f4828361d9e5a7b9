# How large the tables of the largest shape are, 3×3 boxes.

cdef enum:
    BOXES = 3              # of a line, one that may be missing included
    PARTS = 3              # of a partition
    PARTITIONS = 280
    ARRANGEMENTS = 1_680   # a partition with its parts in one of 6 orders
    FITTING = 15_680       # three arrangements side by side, the first in the order of its partition
