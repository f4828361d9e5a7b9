"""Random probes of a tree, for estimates of its solutions and nodes.

    probe         a random path down the tree. Its weight is the product of 1 / probability over the
                  digits chosen: the number of paths, as if all were like this one (Knuth 1975,
                  Estimating the efficiency of backtrack programs)
    population    probes that go down together, stage by stage. Where few of them have most of the
                  weight, they are resampled: those with large weights are doubled, others end
    stage         a number of open cells at which all probes of a population stop

The estimates of a population are right on average, for every number of probes (Del Moral 2004,
Feynman-Kac Formulae). Populations are independent of each other. All weights are logarithms, so a
tree may have more than 10^308 nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, fsum, inf, log
from random import Random

from enumerator.board import Board
from enumerator.engines.interfaces import PopulationEstimate, ProbeBudget
from enumerator.engines.walks.walk import Walk

RESAMPLE_BELOW = 0.5
"""The share of effective probes below which a population is resampled."""

MOST_STAGE_CELLS = 58
"""The most cells that a probe fills in a stage: `Walk.descend` stops there."""

BUDGET_CELLS = 2**25
"""The cells that all probes of an estimate fill, times the size of the board: 1 to 3 s, on 4×4 to 64×64."""

MOST_BUDGET_PROBES = 2**16
"""The most probes of an estimate whose number is not given."""


class WalkProbes:
    """The tree of a board, for random probes."""

    def __init__(self, walk: Walk, board: Board) -> None:
        self.walk, self.board = walk, board
        self.stage_cells = min(board.shape.size, MOST_STAGE_CELLS)

    @property
    def budget(self) -> ProbeBudget:
        probes = BUDGET_CELLS // max(1, self.board.empty_cells * self.board.shape.size)
        return ProbeBudget(min(probes, MOST_BUDGET_PROBES))

    def probe(self, number: int, rng: Random, watch: Callable[[], object]) -> PopulationEstimate:
        cells, size = self.board.cells, self.board.shape.cells
        boards, weights = bytearray(cells * number), [0.0] * number
        solutions: list[float] = []
        nodes: list[float] = []
        open_cells = self.board.empty_cells
        while weights:
            watch()
            open_cells = max(0, open_cells - self.stage_cells)
            ways, visited = doubles(len(weights)), doubles(len(weights))
            ended = self.walk.descend(boards, open_cells, rng.getrandbits(63), ways, visited)
            nodes += [weight + log(many) for weight, many in zip(weights, visited, strict=True) if many]
            weights = [weight + log(many) if many else -inf for weight, many in zip(weights, ways, strict=True)]
            solutions += [weight for weight, end in zip(weights, ended, strict=True) if end and weight > -inf]
            left = [place for place, end in enumerate(ended) if not end]
            left, weights = resample(left, [weights[place] for place in left], number, rng)
            boards = bytearray().join(boards[place * size : (place + 1) * size] for place in left)
        return PopulationEstimate(log_sum(solutions) - log(number), log_sum(nodes) - log(number))


def resample(items: list[int], weights: list[float], number: int, rng: Random) -> tuple[list[int], list[float]]:
    """Return `number` items chosen by their weights, with equal weights; or the same, if they are even.

    The choice is systematic: an item with a share of the weight is chosen that share of `number`
    times, rounded up or down. The sum of the weights stays the same on average.
    """
    if not items:
        return items, weights
    most = max(weights)
    shares = [exp(weight - most) for weight in weights]
    total = fsum(shares)
    if total * total >= RESAMPLE_BELOW * number * fsum(share * share for share in shares):
        return items, weights
    chosen: list[int] = []
    passed, first = 0.0, rng.random()
    for item, share in zip(items, shares, strict=True):
        passed += share / total * number
        while len(chosen) < number and first + len(chosen) < passed:
            chosen.append(item)
    chosen += items[-1:] * (number - len(chosen))  # a rounding error may leave one out
    return chosen, [most + log(total / number)] * number


def log_sum(logarithms: list[float]) -> float:
    """Return the logarithm of the sum of numbers that are given by their logarithms."""
    most = max(logarithms, default=-inf)
    return most if most == -inf else most + log(fsum(exp(each - most) for each in logarithms))


def doubles(number: int) -> memoryview[float]:
    """Return a buffer of `number` floats."""
    return memoryview(bytearray(8 * number)).cast("d")
