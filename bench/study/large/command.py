"""Boards beyond 9×9: our engines and other programs on the same boards, in one run.

    hard      25×25 puzzles with one solution, proven unique one by one
    derived   the same with their rows, columns and digits exchanged, some of them transposed
    easy      16×16 puzzles with one solution, all together
    counts    such puzzles with clues taken away: known counts, and as far as the time limit goes
    ours      boards of boards/ beyond 9×9

Each program runs in a new process on one core, `auto` on several as well. It is timed from the board to
the answer, after its imports and a warm-up. Other programs get only the candidates that naked
and hidden singles leave. Every answer is checked. A program that exceeds the time limit on two boards
of a section and shape is left out of the others, except `auto` and the one that it is compared with.

--rearrangements N measures N rearrangements of each board instead of the board itself, and shows medians.
Two bounds are for these:

    python -m bench large hard --rearrangements 3 --programs CaDiCaL
    python -m bench large counts --match '^25-0, 2 ' --rearrangements 10 --programs clingo

A line below each table says which bound the figures meet or miss. All sections but the last take the
folder `large` beside the repository. --boards measures these boards alone, as the section ours.
The other programs come with `pip install '.[peers]'`; missing ones are left out, by name.
--quick takes a minute: some easy boards of each section, a time limit of 2 s, two other programs.
"""

from __future__ import annotations

import argparse
import sys

from bench.common.commands import check_parts, refuse
from bench.common.options import add_boards, add_matching, add_number, matching
from bench.study.large.bounds import report_lines
from bench.study.large.cases import PUBLISHED_LARGE, Case, our_cases, published_cases
from bench.study.large.contest import REFERENCES, Contest, Contestant, other_contestants, our_contestants
from bench.study.options import add_measuring, cores_list, positive, print_table
from bench.study.session import open_table, run_steps
from bench.tables.rows import Large
from enumerator.engines import AUTO, names
from enumerator.run.workers.executors import usable_cores

PUBLISHED_PARTS = ("hard", "derived", "easy", "counts")
"""The sections that take published boards."""

QUICK_PROGRAMS = [*REFERENCES.values(), *names()]
"""The programs of --quick."""

PARTS = (*PUBLISHED_PARTS, "ours")

SECONDS, QUICK_SECONDS = 60.0, 2.0
"""The default time limits of a board, without and with --quick."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"sections: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="in about a minute: some easy boards of each section")
    parser.add_argument(
        "--time-limit", type=positive, metavar="S",
        help=f"seconds for a board (default: {SECONDS:g}, with --quick {QUICK_SECONDS:g})",
    )  # fmt: skip
    parser.add_argument(
        "--cores", type=cores_list, metavar="N,N", help="of auto, on single boards (default: 1 and 2, if there are two)"
    )
    parser.add_argument("--programs", nargs="+", metavar="NAME", help=f"besides {AUTO} (default: all installed ones)")
    add_number(parser, "--iterations", 1, "measurements of each; the least time counts")
    add_number(parser, "--rearrangements", 0, "rearrangements of each board; the median time counts", least=0)
    add_number(parser, "--seed", 1, "of the section derived, and of rearrangements", least=0)
    add_boards(parser, "those of boards/ beyond 9×9")
    add_matching(parser)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    if options.rearrangements and options.iterations > 1:
        refuse("--rearrangements and --iterations do not go together")
    limit = options.time_limit or (QUICK_SECONDS if options.quick else SECONDS)
    cases, contestants = chosen_cases(options), chosen_contestants(options)
    command = f"large --time-limit {limit:g} --seed {options.seed}"
    if options.rearrangements:
        command += " --rearrangements"
    table = open_table(options.results / "large.csv", Large, command, options.fresh)
    rounds, seed = options.rearrangements or options.iterations, options.seed if options.rearrangements else None
    contest = Contest(table, contestants, cases, limit, rounds, seed)
    status = run_steps(contest.steps(), contest.total, options)
    shown = {(case.section, case.name) for case in cases}
    rows = [row for row in table.rows if (row.section, row.board) in shown and row.iteration < rounds]
    print_table(options, report_lines(rows, limit, options.wide, options.rearrangements), rows)
    for name, reason in contest.failed.items():
        print(f"bench: {name} is left out {reason}", file=sys.stderr)
    return status or bool(contest.failed)


def chosen_cases(options: argparse.Namespace) -> list[Case]:
    """Return the boards of all sections that were named; print which are absent."""
    sections = options.parts or ([] if options.boards else PARTS)
    published = [part for part in sections if part in PUBLISHED_PARTS]
    found: list[Case] = []
    if published and PUBLISHED_LARGE.is_dir():
        found += published_cases(published, options.quick, options.seed)
    elif published:
        print(f"bench: no shared/large beside the repository: left out {', '.join(published)}", file=sys.stderr)
    if options.boards or "ours" in sections:
        found += our_cases(options.boards)
    if not found:
        refuse("no board is left to measure")
    kept = matching({case.name: case for case in found}, options)
    return list(kept.values())


def chosen_contestants(options: argparse.Namespace) -> list[Contestant]:
    cores = options.cores or range(1, min(2, usable_cores()) + 1)
    found = our_contestants(list(cores)) + other_contestants()
    wanted = options.programs or (QUICK_PROGRAMS if options.quick else None)
    if options.programs:
        known = {each.program for each in found}
        if unknown := set(options.programs) - known:
            refuse(f"not here: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return [each for each in found if wanted is None or each.program in {AUTO, *wanted}]
