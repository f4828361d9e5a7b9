"""Make the picture of the README: a board drawn with its candidates, as on a terminal, as SVG."""

from __future__ import annotations

import argparse
import os
import re

from rich.console import Console

from bench import RESULTS, ROOT
from enumerator.board.files import read
from enumerator.command.terminal import draw_candidates
from enumerator.command.views.candidates import describe_work
from enumerator.questions.candidates import candidates
from enumerator.run.plan import Plan

WIDTH = 76
"""Columns of the terminal in the picture."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", nargs="?", default="boards/1b.txt", help="default: %(default)s")
    parser.add_argument("--output", default=str(RESULTS / "candidates.svg"), help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    answer = candidates(read(ROOT / options.board), Plan())
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=WIDTH, force_terminal=True, color_system="truecolor", file=nowhere)
        draw_candidates(options.board, answer, describe_work(answer), console)
    picture = console.export_svg(title=f"enumerate {options.board} --candidates", unique_id="candidates")
    picture = re.sub(r"@font-face \{[^}]*\}\s*", "", picture)  # fonts from other sites
    with open(options.output, "w") as file:
        file.write(picture.replace("Fira Code", "monospace") + "\n")
    print(f"{options.output}: {len(picture):,} characters")
    return 0
