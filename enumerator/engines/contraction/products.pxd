# The cost of a sum, in products.
#
# A *product* is one multiplication of two 16-bit entries within a dot product, as it was first done
# with AVX2: 0.03 ns. Other work is counted as the number of products that take the same time, as
# measured on an AMD EPYC with AVX-512. So products are the contraction's unit of effort: of its plans,
# of the budgets of its tasks, and of their results.
#
# The functions are here because both the plan and the sum need them. The plan predicts the cost of
# a group. The sum accounts for it.

from enumerator.engines.contraction.loops cimport BATCH, LANES, SLOT


cdef inline int padded_lanes(int count) noexcept nogil:
    """Return `count`, rounded up to a multiple of LANES."""
    return (count + LANES - 1) // LANES * LANES


cdef inline double single_lane_products(int count, double pairs) noexcept nogil:
    """Return the cost of `pairs` dot products of `count` terms, read from the tables."""
    return 32 * count * pairs


cdef inline double interleave_products(int lanes, int rows) noexcept nogil:
    """Return the cost to interleave the rows of `lanes` lanes, `rows` entries each."""
    return 2 * lanes * rows


cdef inline double column_products(int lanes, double pairs) noexcept nogil:
    """Return the cost of `pairs` dot products in cells."""
    return (lanes + 6) * pairs


cdef inline double batch_products(double pairs, int rows) noexcept nogil:
    """Return the cost of a batch with `pairs` pairs; A and B have `rows` rows together."""
    return 16 * pairs + 50 * rows + 1000


cdef inline double batches_of(int count) noexcept nogil:
    """Return the part of a batch that a group with `count` lanes takes."""
    return <double> ((count + SLOT - 1) // SLOT * SLOT) / BATCH
