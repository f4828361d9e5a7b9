"""Random probes by short walks, for boards on which nearly every random path ends in a dead end.

    short walk     a walk that ends after a fixed effort. It finds some solutions, and leaves parts
    stage          a short walk on each board of a population. The boards of the next stage are
                   drawn from the parts that all of them leave
    weight         the number of parts that a drawn one stands for: 1 / probability, stage by stage

    board ── short walk ──┬── solutions, counted
                          └── parts ── drawn ── short walk ──┬── solutions, counted, times weight
                                                             └── parts ── …

Estimates are right on average. A board has as many solutions as its short walk finds and its parts
have together, and the walk depends on the board only. A part that is drawn with a probability gets
a weight of 1 / probability, so the weighted sum over the drawn parts is right on average, too. This
holds at every stage, whatever the probabilities are, if none is 0 (Horvitz and Thompson 1952).

A dead end is met within a short walk and costs nothing but its effort. If all parts fit into a
population, all are taken, and the numbers are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, fsum, log
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board
from enumerator.engines.interfaces import PopulationEstimate, ProbeBudget
from enumerator.engines.walks import pack_masks
from enumerator.engines.walks.probes import log_sum

if TYPE_CHECKING:
    from enumerator.engines.walks import Start

POPULATION_BOARDS = 16
"""The number of boards of a stage.

Longer walks pay more than more boards: 16 boards with an effort of 4,000 and 64 boards with 1,000
take equally long, and the logarithms of the former deviate half as much, on six 25×25 boards.
"""

PROBE_EFFORT = 200
"""The effort of a short walk for each probe of a population.

Starting a walk on 25×25 takes as long as an effort of 50. Below 200, nearly every population
of the boards measured has met nothing.
"""

SHARE_POWER = 0.5
"""The power of a part's share by which it is drawn.

Parts beside a solution have tiny shares, because they are deep, and often have solutions. With 1,
populations agree on too few solutions, since all of them miss the same parts.
"""

MOST_PARTS_BYTES = 2**22
"""The most memory for the parts of a short walk. A stage takes up to 16 times as much.

A walk with more parts counts for nothing: its board is split at the first decision only.
"""

LEAST_SIZE = 1e-300
"""The least size of a part, relative to the largest one: no probability may be 0."""

BUDGET_PROBES = 64
"""The probes of an estimate whose number is not given: 1 to 2 s on boards of boards/large."""

MOST_BUDGET_BOARDS, BUDGET_BOARD_CELLS = 2**11, 2**30
"""The most boards that such an estimate walks on, and the same times the square of their cells: 3 to 6 s.

Boards of boards/large take up to 560 boards. Empty ones beyond 49×49 would take hours.
"""


class Drawn(NamedTuple):
    """A board, and the logarithms of its weight and of what it is drawn by."""

    cells: bytes
    weight: float
    size: float


class PartialProbes:
    """The tree of a board, for random probes by short walks. `start` starts a walk."""

    def __init__(self, start: Start, board: Board) -> None:
        self.start, self.board, self.masks = start, board, pack_masks(board.allowed)

    @property
    def budget(self) -> ProbeBudget:
        return ProbeBudget(BUDGET_PROBES, min(MOST_BUDGET_BOARDS, BUDGET_BOARD_CELLS // self.board.shape.cells**2))

    def probe(self, number: int, rng: Random, watch: Callable[[], object]) -> PopulationEstimate:
        height, width = self.board.shape.height, self.board.shape.width
        effort, spent = PROBE_EFFORT * number, 0
        solutions: list[float] = []
        efforts: list[float] = []
        is_drawn = is_met = False
        boards = [Drawn(self.board.cells, 0.0, 0.0)]
        while boards:
            parts: list[Drawn] = []
            for board in boards:
                watch()
                walk = self.start(board.cells, height, width, self.masks)
                found = walk.run(effort)
                if found and not walk.finished:
                    found += walk.round_off(effort)
                spent += walk.nodes
                if walk.left * walk.cells > MOST_PARTS_BYTES:
                    walk, found = self.start(board.cells, height, width, self.masks), 0
                    walk.run(0)
                efforts.append(board.weight + log(walk.nodes + 1))
                if found:
                    solutions.append(board.weight + log(found))
                is_drawn |= board.weight > 0
                is_met |= board.weight > 0 and found > 0
                parts += [
                    Drawn(cells, board.weight, board.weight + SHARE_POWER * (log(part) - log(whole)))
                    for cells, (part, whole) in walk.parts()
                ]
            boards = draw(parts, POPULATION_BOARDS, rng)
        return PopulationEstimate(log_sum(solutions), log_sum(efforts), spent, is_drawn and not is_met)


def draw(parts: list[Drawn], number: int, rng: Random) -> list[Drawn]:
    """Return at most `number` of the parts, with their new weights. None is drawn twice.

    A part is drawn with a probability in proportion to its size, and at most 1. The choice is
    systematic: every stretch of the parts, in their order, gets its share of `number`, rounded.
    """
    if len(parts) <= number:
        return parts
    most = max(part.size for part in parts)
    sizes = [max(exp(part.size - most), LEAST_SIZE) for part in parts]
    largest = sorted(range(len(parts)), key=sizes.__getitem__, reverse=True)
    rest, certain = fsum(sizes), 0
    while certain < number and sizes[largest[certain]] * (number - certain) >= rest:
        rest = fsum(sizes[place] for place in largest[certain + 1 :])
        certain += 1
    chosen = [parts[place] for place in largest[:certain]]
    if certain == number or rest <= 0:
        return chosen
    step = rest / (number - certain)
    passed, next_one = 0.0, rng.random() * step
    for place in sorted(largest[certain:]):
        passed += sizes[place]
        if passed > next_one:
            chosen.append(parts[place]._replace(weight=parts[place].weight - log(sizes[place] / step)))
            next_one += step
    return chosen
