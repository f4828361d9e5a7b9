# Table sizes of the largest shape, 3×3 boxes.

cdef enum:
    BOXES = 3              # in a line; in smaller shapes some are missing
    PARTS = 3              # in a partition
    PARTITIONS = 280
    WORDS = 5              # of 64 bits: a bit for each partition
    NEIGHBOURS = 36        # partitions that are compatible with a partition
    QUADS = 420            # of four partitions each, in tables.pyx
    ARRANGEMENTS = 1_680   # 280 partitions in 6 orders each
    TRIPLES = 15_680       # three arrangements side by side, the first of them in order 0
    NO_PARTITION = 0xffff  # the end of a list of partitions
