"""Helpers for boards and solutions: search space, candidates, lines of text, tallies of digits.

They belong to no walk. A board is bytes, 0 for an empty cell. Several boards or solutions are
concatenated without separators. `allowed` are the pencil marks of a board: one mask of 64 bits per
cell, bit d - 1 for digit d; None: every cell allows every digit.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from enumerator.engines.walks.walk cimport check_board, check_boards, check_masks

cdef extern from "machine.h":
    int popcount64(uint64_t bits) noexcept nogil


def space(const uint8_t[::1] cells not None, int height, int width, allowed=None):
    """Return the exact search space: the product of the candidate counts of all empty cells."""
    cdef uint16_t counts[65]
    cdef const uint64_t[::1] masks
    cdef const uint64_t *mask = NULL
    cdef int size = height * width, i
    check_board(cells, height, width)
    if allowed is not None:
        masks = allowed
        check_masks(masks, size * size)
        mask = &masks[0]
    count_candidates(&cells[0], height, width, mask, counts)
    product = 1
    for i in range(size + 1):
        if counts[i]:
            product *= (<object> i) ** counts[i]
    return product


def candidate_counts(
    const uint8_t[::1] boards not None,
    int height,
    int width,
    uint16_t[::1] counts not None,
    uint64_t[::1] empty_cells not None,
    allowed=None,
):
    """Write the number of empty cells of each board, and how many have 0, 1, …, size candidates.

    There are size + 1 `counts` per board. All boards have the same pencil marks.
    """
    check_boards(boards, height, width)
    cdef int size = height * width
    cdef Py_ssize_t count = boards.shape[0] // (size * size), i
    cdef const uint64_t[::1] masks
    cdef const uint64_t *mask = NULL
    if counts.shape[0] < count * (size + 1) or empty_cells.shape[0] < count:
        raise ValueError(f"no room for the candidates of {count} boards")
    if allowed is not None:
        masks = allowed
        check_masks(masks, size * size)
        mask = &masks[0]
    with nogil:
        for i in range(count):
            empty_cells[i] = count_candidates(&boards[i * size * size], height, width, mask, &counts[i * (size + 1)])


cdef uint64_t count_candidates(
    const uint8_t *cells, int height, int width, const uint64_t *allowed, uint16_t *counts
) noexcept nogil:
    """Count the empty cells with 0, 1, …, size candidates, and return the number of all.

    `allowed` are the pencil marks, or NULL.
    """
    cdef uint64_t rows[64]
    cdef uint64_t columns[64]
    cdef uint64_t boxes[64]
    cdef int size = height * width, cell = 0, row, column, box, i
    cdef uint64_t full = ~(<uint64_t> 0) >> (64 - size), digit, candidates, empty = 0
    for i in range(size):
        rows[i] = columns[i] = boxes[i] = 0
    for i in range(size + 1):
        counts[i] = 0
    for row in range(size):
        for column in range(size):
            if cells[cell]:
                box = row // height * height + column // width
                digit = <uint64_t> 1 << (cells[cell] - 1)
                rows[row] |= digit
                columns[column] |= digit
                boxes[box] |= digit
            cell += 1
    cell = 0
    for row in range(size):
        for column in range(size):
            if not cells[cell]:
                box = row // height * height + column // width
                candidates = full & ~(rows[row] | columns[column] | boxes[box])
                if allowed != NULL:
                    candidates &= allowed[cell]
                counts[popcount64(candidates)] += 1
                empty += 1
            cell += 1
    return empty


def lines(const uint8_t[::1] solutions not None, int cells, str symbols not None):
    """Return solutions of `cells` cells each as text, one line of symbols per solution.

    The symbol of digit d is `symbols[d - 1]`.
    """
    cdef const uint8_t[::1] symbol = symbols.encode("ascii")
    cdef uint64_t count = solutions.shape[0] // cells, i, j
    cdef object text = bytearray(count * (cells + 1))
    cdef uint8_t[::1] out
    cdef uint8_t digit
    if count:
        out = text
        with nogil:
            for i in range(count):
                for j in range(<uint64_t> cells):
                    digit = solutions[i * cells + j]
                    out[i * (cells + 1) + j] = symbol[digit - 1 if 1 <= digit <= symbol.shape[0] else 0]
                out[i * (cells + 1) + cells] = c"\n"
    return text


def tally(const uint8_t[::1] solutions not None, int cells, int size, uint64_t[::1] counts not None):
    """Add 1 to `counts[cell * size + digit - 1]` for each `cell` of each solution and its `digit`."""
    cdef uint64_t count = solutions.shape[0] // cells, i, j
    cdef uint8_t digit
    if counts.shape[0] != cells * size:
        raise ValueError(f"{counts.shape[0]} counts, not {cells * size}")
    with nogil:
        for i in range(count):
            for j in range(<uint64_t> cells):
                digit = solutions[i * cells + j]
                if 1 <= digit <= size:
                    counts[j * size + digit - 1] += 1
