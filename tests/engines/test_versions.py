"""The versions of the order and cut of engines, which ledgers store.

A digest here is of this program itself: it shows that an order or a cut has changed, not which one
is right. Then ledgers of the version before cannot be resumed any more: increase `Engine.version`.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from math import inf

import pytest
from support.boards import board

from enumerator import engines, solutions
from enumerator.engines import MOST
from enumerator.engines.shares import WHOLE
from enumerator.questions.checks import EngineName

OUTCOMES = {
    "search": (1, "d022a66112ed250f"),
    "contraction": (2, "d1feefabe171de60"),
    "learning": (1, "9573ad5ff7c27ff5"),
}
"""For each engine: its version, and the digest of its parts, divisions, outcomes and first solutions."""


def digest(name: EngineName) -> str:
    """Return a digest of what one engine makes of a board: a task, a division, a list."""
    one, engine = board("1d"), engines.get(name)
    job = engine.job(one, recorded=True)
    whole = job.whole(one)
    (task,) = job.work([whole], 2_000, MOST, inf).parts
    divided = job.divide(job.part(whole, WHOLE)) or []
    made = (
        (task.solutions, task.effort, [(job.text(load), share) for load, share in task.rest]),
        [(job.text(part.load), part.share.numerator, part.share.denominator) for part in divided],
        [str(solution) for solution in islice(solutions(one, engine=name), 200)],
    )
    return hashlib.sha256(repr(made).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", engines.MODULES)
def test_an_engine_with_another_order_or_cut_has_another_version(name: EngineName) -> None:
    assert (engines.get(name).version, digest(name)) == OUTCOMES[name]
