"""Make the picture of the README: a board with its candidates, as --candidates --svg draws it."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import RESULTS, ROOT
from enumerator.board.files import read
from enumerator.board.pictures import candidates_svg
from enumerator.questions.candidates import candidates
from enumerator.run.plan import Plan


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", nargs="?", default="boards/1b.txt", help="default: %(default)s")
    parser.add_argument("--output", default=str(RESULTS / "candidates.svg"), help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    answer = candidates(read(ROOT / options.board), Plan())
    lines = [answer.headline, *answer.advise("{:,}")]
    picture = candidates_svg(answer.board, answer.counts, options.board, lines)
    Path(options.output).write_text(picture)
    print(f"{options.output}: {len(picture):,} characters")
    return 0
