"""The command `enumerate`: options in, reports out, an exit status. What it finds is worked out elsewhere."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from itertools import chain
from typing import TYPE_CHECKING, NoReturn

import enumerator
from enumerator.shape import Shape
from enumerator.status import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, abandon, complain
from enumerator.wording import printable

if TYPE_CHECKING:
    from enumerator.answers import Request

EXAMPLES = """\
examples:
  enumerate boards/1c.txt                  how many solutions has this board?
  enumerate boards/1e.txt --cores 16       the same, on no more than 16 cores
  enumerate boards/1e.txt --estimate       how many, about, and how long will it take?
  enumerate boards/1[abc].txt --quiet      several boards, just the counts
  enumerate puzzles.sdm --limit 2 --json   a file of puzzles, one a line: is each unique?
  echo 53..7....6..195... … | enumerate -  a board from a pipe
  enumerate six.txt --shape 3x2            boxes 3 high and 2 wide instead of 2 by 3

A file holds boards as grids or one a line. Empty cells are . 0 _ * or ?, digits beyond 9 are letters (A = 10) or
numbers separated by spaces or commas; rulers, blank lines and lines that begin with # are skipped.

exit status: 0 answered (no solution is an answer), 2 unusable input or options, 130 interrupted, 1 anything else
"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        complain(f"{printable(message)} (see {self.prog} --help)")
        raise SystemExit(UNUSABLE)


def whole_number(text: str) -> int:
    """A positive integer, as 1000, 1_000 or 1e3, exactly."""
    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,3}))?", text, re.ASCII)
    number = int(match[1].replace("_", "")) * 10 ** int(match[2] or 0) if match else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def size(text: str) -> int:
    """The size of a search space, which may be huge, exactly."""
    from enumerator.board import exact

    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,4}))?", text, re.ASCII)
    number: int = exact(int(match[1].replace("_", ""))) * 10 ** int(match[2] or 0) if match else exact(0)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size between 1 and 1e9999")
    return number


def shape(text: str) -> Shape:
    try:
        return Shape.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def arguments() -> Parser:
    parser = Parser(
        prog="enumerate",
        description="Counts every solution of Sudoku boards, exactly.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("boards", nargs="*", metavar="BOARD", help="a file of one or more boards; - is standard input")
    work = parser.add_argument_group("how to count")
    work.add_argument("--cores", type=whole_number, metavar="N", help="use no more cores than this (default: all)")
    work.add_argument(
        "--engine",
        choices=("auto", "search", "contraction"),
        default="auto",
        help="walk, count without walking, or what promises to be faster (default: auto)",
    )
    work.add_argument("--backend", choices=("loky", "threads"), default="loky", help="where tasks run (default: loky)")
    work.add_argument(
        "--cutoff", type=size, metavar="SIZE", help="search space at or below which a subtree is one task, as 1e28"
    )
    work.add_argument("--limit", type=whole_number, metavar="N", help="stop after N solutions, and say so")
    work.add_argument("--shape", type=shape, metavar="HxW", help="box height x width (default: nearest to a square)")
    work.add_argument(
        "--estimate", action="store_true", help="do not count: say about how many, and how long it would take"
    )
    show = parser.add_argument_group("what to print")
    one = show.add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="one JSON object a board; big integers are strings")
    one.add_argument("--quiet", action="store_true", help="the number of solutions alone; 5+ is at least 5")
    show.add_argument("--no-progress", action="store_true", help="no bar on the terminal while counting")
    show.add_argument("--version", action="store_true", help="what this is, how its kernel was compiled, and end")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asks for the same as Ctrl-C
    if sys.stdout is None:
        complain("standard output is closed")
        return FAILED
    if sys.stderr is None:  # libraries write to it without asking
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status = run(argv)
        if status == INTERRUPTED:  # what was to be said has been flushed; the rest may have no reader
            abandon(sys.stdout)
        else:
            sys.stdout.flush()
    except KeyboardInterrupt:
        deafen()
        status = INTERRUPTED
        abandon(sys.stdout)
    except BrokenPipeError:  # the reader has what it wanted
        status = FAILED
        abandon(sys.stdout)
    except OSError as error:
        status = FAILED
        complain(f"standard output: {error.strerror}")
        abandon(sys.stdout)
    except MemoryError:
        status = FAILED
        complain("not enough memory")
    except RuntimeError as error:
        if "can't start new thread" not in str(error):
            raise
        status = FAILED
        complain(str(error))
    except ImportError as error:  # above all, the kernel
        status = FAILED
        complain(str(error))
    return status


def run(argv: list[str] | None) -> int:
    """Read the options and do what they say."""
    parser = arguments()
    try:
        options = parser.parse_intermixed_args(argv)
        if not (options.boards or options.version):
            parser.error("no board given")
    except SystemExit as end:
        return int(end.code or ANSWERED)
    if options.version:
        return describe()
    from enumerator.answers import answer
    from enumerator.formats import open_boards
    from enumerator.parallel.executors import dismiss

    entries = chain.from_iterable(open_boards(name, options.shape) for name in options.boards)
    try:
        return answer(entries, request(options), sum(map(length, options.boards)))
    finally:
        deafen()
        dismiss()


def request(options: argparse.Namespace) -> Request:
    """What the options ask for."""
    from enumerator.answers import Request
    from enumerator.parallel import Plan
    from enumerator.parallel.executors import BACKENDS

    plain = "json" if options.json else "number" if options.quiet else "text"
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    return Request(
        rendering="drawing" if plain == "text" and sys.stdout.isatty() else plain,
        plan=Plan(
            options.cores, options.limit, options.cutoff, BACKENDS[options.backend], complain, engine=options.engine
        ),
        estimate=options.estimate,
        progress=on_terminal and not (options.quiet or options.no_progress),
    )


def deafen() -> None:
    """From here on there is only the end, and no use in asking for it again."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def length(name: str) -> int:
    """How long a file is, if it is one."""
    try:
        return os.path.getsize(name) if os.path.isfile(name) else 0
    except (OSError, ValueError):
        return 0


def describe() -> int:
    """Print the version, and how the kernel was compiled."""
    import platform

    from enumerator.search import kernel

    print(f"enumerator {enumerator.__version__}")
    checks = "on" if kernel.CHECKED else "off"
    print(f"kernel: compiled by {kernel.COMPILER} from Cython {kernel.CYTHON}, checks {checks}, flags {kernel.FLAGS}")
    print(f"Python {platform.python_version()} on {platform.machine()}")
    return ANSWERED
