"""Lists of puzzles: ours in bench/puzzles/, compressed, and published ones beside the repository."""

from __future__ import annotations

import gzip
from pathlib import Path

from bench import ROOT, SHARED
from bench.common.boards import PUBLISHED
from enumerator.board import Board
from enumerator.board.files import read_all

PUZZLES = ROOT / "bench" / "puzzles"
"""The folder of our lists, made by `python -m bench minimal`."""


def our_lists() -> dict[str, Path]:
    """Return the files of our lists by name."""
    return {path.name.partition(".")[0]: path for path in sorted(PUZZLES.glob("*.txt.gz"))}


def published_lists() -> dict[str, Path]:
    """Return the files of published lists by name; {} where they are absent."""
    return {f"{PUBLISHED}{path.stem}": path for path in sorted((SHARED / "puzzles").glob("*.txt"))}


def read_list(path: Path) -> list[Board]:
    """Return the puzzles of a file. If it is compressed, they are one a line, except for comments."""
    if path.suffix != ".gz":
        return list(read_all(path))
    lines = gzip.decompress(path.read_bytes()).decode(errors="replace").splitlines()
    return [Board.parse(line) for line in lines if not line.startswith("#")]
