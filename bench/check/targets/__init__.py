"""The targets of `python -m bench fuzz`: properties that hold for any bytes, and seeds.

A target is a function of bytes that raises AssertionError, or lets any other error escape, where
something is wrong. Bytes are read from the front: a few choose (a shape, an option), the rest is
text. Targets know nothing of the fuzzer, so the tests run them over the corpora without one.

    boards.py     files of boards, as grids, lines and numbers
    lines.py      boards, written in all formats and read again
    forms.py      boards in every form that a face writes, read again
    links.py      links to puzzles
    options.py    the options and files of the command
    ledgers.py    ledgers that were tampered with
    learning.py   boards, walked by `learning` and by the general walk
    inputs.py     helpers: reading an input, shapes, a slow but certain count
    inside.py     the command inside this process

A new target is a module with `check` and `seeds`, and a line in TARGETS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bench.check.targets import boards, forms, learning, ledgers, lines, links, options


class Target(NamedTuple):
    """Something to be fuzzed."""

    summary: str
    check: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    longest: int
    """Longer inputs, in bytes, find nothing new."""
    words: tuple[str, ...] = ()
    """Words that the fuzzer may build inputs from."""


TARGETS = {
    "boards": Target("files of boards, as grids, lines and numbers", boards.check, boards.seeds, 3000, boards.WORDS),
    "links": Target("links to puzzles", links.check, links.seeds, 1500, links.WORDS),
    "lines": Target("boards, written in all formats and read again", lines.check, lines.seeds, 400),
    "forms": Target("boards in every form that is written, read again", forms.check, forms.seeds, 16),
    "options": Target("the command's options and files", options.check, options.seeds, 64),
    "ledger": Target("ledgers that were tampered with", ledgers.check, ledgers.seeds, 4096),
    "learning": Target("boards, walked by learning and by search", learning.check, learning.seeds, 96),
}
