"""Make the picture of the README: a board drawn with its candidates, as on a terminal, as SVG."""

from __future__ import annotations

import argparse
import os
import re
from time import perf_counter

from rich.console import Console

from bench import RESULTS, ROOT
from enumerator.board.formats import read
from enumerator.command.candidates import Shares
from enumerator.command.terminal import draw_shares
from enumerator.questions.candidates import counted
from enumerator.run.executors import usable_cores

WIDTH = 76
"""Columns of the terminal in the picture."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", nargs="?", default="boards/1b.txt", help="default: %(default)s")
    parser.add_argument("--output", default=str(RESULTS / "candidates.svg"), help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    board, cores, started = read(ROOT / options.board), usable_cores(), perf_counter()
    counts, engine = counted(board, cores)
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=WIDTH, force_terminal=True, color_system="truecolor", file=nowhere)
        draw_shares(Shares(options.board, board, counts, engine, cores, perf_counter() - started), console)
    picture = console.export_svg(title=f"enumerate {options.board} --candidates", unique_id="candidates")
    picture = re.sub(r"@font-face \{[^}]*\}\s*", "", picture)  # fonts from other sites
    with open(options.output, "w") as file:
        file.write(picture.replace("Fira Code", "monospace") + "\n")
    print(f"{options.output}: {len(picture):,} characters")
    return 0
