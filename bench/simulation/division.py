"""Who walks which piece of a tree: the real driver on simulated cores, where nothing but the walk takes time.

The walk is stretched to ALL_SECONDS, so that budgets, which are times, mean the same for every board.
"""

from __future__ import annotations

from typing import NamedTuple

from bench.common.cutoffs import find_cutoff
from bench.simulation.replay import Replay, load_of
from bench.simulation.world import Costs, World
from bench.tables.rows import Piece
from enumerator.engines import Part, Tally
from enumerator.engines.shares import WHOLE
from enumerator.run.driver import Driver
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan

ALL_SECONDS = 10.0
"""The time of the whole walk on one core."""


class Division(NamedTuple):
    """A board's tree divided among workers."""

    seconds: float
    workers: dict[int, int]
    """The worker that has walked each piece, by the piece's number."""
    cores: int

    @property
    def time(self) -> float:
        """The time as a multiple of that of a perfect division."""
        return self.seconds * self.cores / ALL_SECONDS


def divide_tree(pieces: list[Piece], cores: int, parts: int = 0) -> Division:
    """Divide a tree among `cores` workers: by the default, or at a cut-off that makes about `parts` parts.

    With a cut-off, tasks have no budgets.
    """
    speed = sum(piece.seconds for piece in pieces) / ALL_SECONDS
    cutoff = find_tree_cutoff(pieces, parts) if parts else None
    world = World(Costs(), cores)
    job = Replay(pieces, world.spend, 0.0, cutoff, speed, has_budgets=not parts)
    workers: dict[int, int] = {}
    job.on_walk = lambda number: workers.__setitem__(number, world.thread)
    rate = sum(piece.nodes for piece in pieces) / ALL_SECONDS
    start = PartialCount(Tally(), 0, [(load_of(pieces[0]), (1, 1))], 0.0, rate)
    plan = Plan(cores, pool=None, engine="search", usable=lambda: cores, visible=lambda: cores)
    *_, last = Driver(job, plan, start, clock=world.clock, threads=world.make_threads, observer=world).run()
    if last.solutions != job.solutions:
        raise SystemExit("bench: a part of the tree was lost, or counted twice")
    return Division(world.now, workers, cores)


def find_tree_cutoff(pieces: list[Piece], parts: int) -> int:
    """Return the cut-off that makes about `parts` parts of a tree."""
    tree = Replay(pieces, lambda _seconds: None)
    whole: list[Part] = [tree.part(load_of(pieces[0]), WHOLE)]
    return find_cutoff(whole, tree.branch, parts)
