"""The command `enumerate`: options in, reports out, an exit status. What it finds is worked out elsewhere."""

from __future__ import annotations

import argparse
import os
import re
import signal
import stat
import sys
from contextlib import ExitStack, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NoReturn

import enumerator
from enumerator.board import Shape
from enumerator.board.wording import printable
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, abandon, complain, undisturbed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enumerator.board.reading import Entry
    from enumerator.command.output import Output
    from enumerator.command.request import Request
    from enumerator.run.cluster import Cluster

EXAMPLES = """\
examples:
  enumerate boards/1c.txt                  how many solutions has this board?
  enumerate boards/1e.txt --cores 16       the same, on no more than 16 cores
  enumerate boards/1[abc].txt --quiet      several boards, just the counts
  enumerate boards/1c.txt --candidates     which clue would make it unique?
  enumerate puzzles.sdm --classify         a file of puzzles, one a line: is each of them unique?
  enumerate boards/1f.txt --list --output all.zst
  enumerate boards/empty.txt --nth 1e21    one solution out of 6.67e21, by its number
  enumerate boards/empty.txt --sample 10 --seed 1
  enumerate boards/16x16-many.txt --time-limit 10   as far as one gets, and an estimate
  enumerate boards/2f.txt --engine search --checkpoint run.db
  enumerate --status run.db                how far is it? and whatever ends it, the same command goes on
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
    return at_least(1, text)


def counted_from_0(text: str) -> int:
    """The same, or 0: a place in a list, or a seed."""
    return at_least(0, text)


def at_least(least: int, text: str) -> int:
    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,3}))?", text, re.ASCII)
    number = int(match[1].replace("_", "")) * 10 ** int(match[2] or 0) if match else -1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
    return number


def size(text: str) -> int:
    """The size of a search space, which may be huge, exactly."""
    from enumerator.board.board import exact

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


def file_name(text: str) -> str | None:
    """A file to write to; None is standard output."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no file")
    return None if text == "-" else text


AUDITED = 0.05
"""The share of its tasks that an audit recounts, if nothing is said."""


def part(text: str) -> float:
    """A share of something, as 5%, 5 % or 0.05."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{0,9})?|\.\d{1,9}) ?(%?)", text, re.ASCII)
    share = float(match[1]) / (100 if match[2] else 1) if match else 0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 100 %")
    return share


def ledger_name(text: str) -> str:
    """A file to be gone on with."""
    if not text or text == "-":
        raise argparse.ArgumentTypeError(f"{text!r} is no file")
    return text


def duration(text: str) -> float:
    """A time in seconds."""
    match = re.fullmatch(r"\d{1,9}(\.\d{0,9})?|\.\d{1,9}", text, re.ASCII)
    if not match or float(text) <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds greater than 0")
    return float(text)


def arguments() -> Parser:
    parser = Parser(
        prog="enumerate",
        description="Counts, lists and samples the solutions of Sudoku boards, exactly.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("boards", nargs="*", metavar="BOARD", help="a file of one or more boards; - is standard input")
    what = parser.add_argument_group("what to find out (without any of these: how many solutions there are)")
    one = what.add_mutually_exclusive_group()
    one.add_argument("--list", action="store_true", help="every solution, one a line")
    one.add_argument("--nth", type=counted_from_0, metavar="K", help="one solution: line K of --list, counted from 0")
    one.add_argument("--sample", type=whole_number, metavar="N", help="N solutions by chance, all equally likely")
    one.add_argument(
        "--candidates", action="store_true", help="for every cell and digit, in how many solutions it stands there"
    )
    one.add_argument("--classify", action="store_true", help="for every board: unique, multiple or none")
    one.add_argument(
        "--estimate", action="store_true", help="about how many solutions, and how long a count would take"
    )
    one.add_argument(
        "--status", action="store_true", help="how far is the run that writes this ledger? (instead of a board)"
    )
    one.add_argument("--audit", action="store_true", help="recount a share of the tasks of this ledger, and compare")
    work = parser.add_argument_group("how to find it out")
    work.add_argument("--cores", type=whole_number, metavar="N", help="use no more cores than this (default: all)")
    work.add_argument(
        "--engine",
        choices=("auto", "search", "contraction"),
        default="auto",
        help="walk, count without walking, or what promises to be faster (default: auto)",
    )
    work.add_argument("--limit", type=whole_number, metavar="N", help="stop after N solutions, and say so")
    work.add_argument(
        "--time-limit", type=duration, metavar="S", help="stop after S seconds a board, and say what is known"
    )
    work.add_argument(
        "--checkpoint",
        type=ledger_name,
        metavar="FILE",
        help="write down what is done; the same command goes on from there",
    )
    work.add_argument("--verify", action="store_true", help="count again in another way, and compare")
    work.add_argument("--share", type=part, metavar="P", help="how much to --audit, as 5%% or 0.05 (default: 5%%)")
    work.add_argument("--seed", type=counted_from_0, metavar="X", help="the same seed, the same --sample or --audit")
    work.add_argument("--shape", type=shape, metavar="HxW", help="box height x width (default: nearest to a square)")
    work.add_argument(
        "--backend",
        choices=("loky", "threads", "dask"),
        default="loky",
        help="where tasks run: processes, threads, or a Dask cluster (default: loky)",
    )
    work.add_argument(
        "--scheduler", metavar="ADDR", help="that of the cluster, as tcp://10.0.0.1:8786 (default: one is started here)"
    )
    work.add_argument(
        "--cutoff", type=size, metavar="SIZE", help="search space at or below which a subtree is one task, as 1e28"
    )
    show = parser.add_argument_group("what to print")
    form = show.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="one JSON object a board, or a solution; big integers are strings"
    )
    form.add_argument("--quiet", action="store_true", help="the number of solutions alone; 5+ is at least 5")
    form.add_argument("--grids", action="store_true", help="draw solutions as grids")
    show.add_argument(
        "--output",
        type=file_name,
        metavar="FILE",
        help="write solutions to a file; compressed, if it ends in .gz or .zst",
    )
    show.add_argument("--no-progress", action="store_true", help="no bar on the terminal while counting")
    show.add_argument("--version", action="store_true", help="what this is, how its kernel was compiled, and end")
    return parser


SOLUTIONS = ("list", "nth", "sample")
GOES_WITH = {
    "limit": ("count", "list"),
    "time_limit": ("count", "candidates", *SOLUTIONS),
    "seed": ("sample", "audit"),
    "share": ("audit",),
    "grids": SOLUTIONS,
    "output": SOLUTIONS,
    "cutoff": ("count",),
    "checkpoint": ("count", "list"),
    "verify": ("count",),
}
"""Options that make sense with some of what can be found out, and with nothing else."""


def is_given(options: argparse.Namespace, option: str) -> bool:
    value = getattr(options, option)
    return value is not None and value is not False


def wanted(options: argparse.Namespace, parser: Parser) -> str:
    """What the options ask for, if they go together."""
    kinds = (*SOLUTIONS, "candidates", "classify", "estimate", "status", "audit")
    kind = next((kind for kind in kinds if is_given(options, kind)), "count")
    for option, partners in GOES_WITH.items():
        if is_given(options, option) and kind not in partners:
            flag, others = option.replace("_", "-"), [f"--{name}" for name in partners if name != "count"]
            if kind == "count":
                parser.error(f"--{flag} goes with {' or '.join(others)}")
            parser.error(f"--{flag} does not go with --{kind}")
    if options.checkpoint is not None and kind == "list" and options.output is None:
        parser.error("--checkpoint with --list goes with --output: a file that can be gone on with")
    for option in ("limit", "time_limit"):
        if options.verify and is_given(options, option):
            parser.error(f"--verify does not go with --{option.replace('_', '-')}: it is for whole counts")
    if options.quiet and kind in SOLUTIONS:
        parser.error(f"--quiet does not go with --{kind}")
    if options.backend == "dask" and kind != "count":
        parser.error(f"--backend dask does not go with --{kind}: it is for counts")
    if options.scheduler is not None and options.backend != "dask":
        parser.error("--scheduler goes with --backend dask")
    if options.engine != "auto" and kind == "classify":
        parser.error("--engine does not go with --classify")
    return kind


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
    except OSError as error:  # of a file, it says so itself
        status = FAILED
        complain(f"standard output: {error.strerror}" if error.strerror else str(error))
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
        with undisturbed():  # argparse would leave its work half done
            options = parsed(parser, sys.argv[1:] if argv is None else argv)
        if options.version:
            return describe()
        if not options.boards:
            parser.error("no board given")
        kind = wanted(options, parser)
    except SystemExit as end:
        return int(end.code or ANSWERED)
    from enumerator.run.executors import dismiss

    try:
        with ExitStack() as held:
            output = held.enter_context(opened(options)) if kind in SOLUTIONS else None
            cluster = held.enter_context(connected(options)) if options.backend == "dask" else None
            return find_out(options, request(options, kind, output, cluster))
    except Refusal as refusal:
        complain(refusal.message)
        return refusal.status
    finally:
        deafen()
        dismiss()


def parsed(parser: Parser, argv: list[str]) -> argparse.Namespace:
    """The options; what follows -- is boards, which argparse forgets where boards and options are mixed."""
    end = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_intermixed_args(argv[:end])
    options.boards += argv[end + 1 :]
    return options


class Refusal(Exception):  # noqa: N818
    """There is no use in beginning."""

    def __init__(self, message: str, status: int) -> None:
        self.message, self.status = message, status


def opened(options: argparse.Namespace) -> Output:
    """Where solutions are to be written."""
    from enumerator.command.output import Output

    for name in options.boards:
        if is_written(name, options.output):  # that might never end
            raise Refusal(f"{printable(name)}: cannot be read and written to at the same time", UNUSABLE)
    if options.checkpoint is not None and options.output is not None:
        same = os.path.realpath(options.checkpoint) == os.path.realpath(options.output)  # there may be no such file yet
        if same or is_written(options.checkpoint, options.output):
            message = f"{printable(options.output)}: cannot be the ledger and the solutions at the same time"
            raise Refusal(message, UNUSABLE)
    try:
        return Output(options.output, options.cores, later=options.checkpoint is not None)
    except OSError as error:
        name = printable(options.output or "standard output")
        raise Refusal(f"{name}: {error.strerror or error}", UNUSABLE) from None


def is_written(name: str, output: str | None) -> bool:
    """Whether what is read is the file that is written to. A terminal may be both."""
    with suppress(OSError, ValueError):
        read, written = os.stat(0 if name == "-" else name), os.stat(output or sys.stdout.fileno())
        return os.path.samestat(read, written) and (output is not None or stat.S_ISREG(written.st_mode))
    return False


def connected(options: argparse.Namespace) -> Cluster:
    """The cluster that tasks are to be sent to."""
    try:
        from enumerator.run.cluster import Cluster, ClusterError
    except ImportError as error:
        if error.name not in ("distributed", "dask"):
            raise
        raise Refusal("--backend dask needs Dask: pip install distributed", UNUSABLE) from None
    try:
        return Cluster(options.scheduler, complain, options.cores)
    except ValueError as error:
        raise Refusal(f"--scheduler: {error}", UNUSABLE) from None
    except ClusterError as error:
        raise Refusal(str(error), FAILED) from None


def find_out(options: argparse.Namespace, asked: Request) -> int:
    """Answer for all boards."""
    about = sum(map(length, options.boards))
    if asked.wanted == "status":
        from enumerator.command.checkpoint import show_status

        return show_status(options.boards, asked.rendering)
    if asked.wanted == "audit":
        from enumerator.command.audit import audit

        return audit(options.boards, options.share or AUDITED, asked.seed, asked.rendering, asked.progress)
    if asked.wanted == "classify":
        from enumerator.command.classify import classify

        return classify(options.boards, options.shape, asked, about)
    from enumerator.board.files import open_boards
    from enumerator.command.answers import answer

    entries: Iterable[Entry] = chain.from_iterable(open_boards(name, options.shape) for name in options.boards)
    if asked.checkpoint is not None:
        entries = some = list(islice(entries, 2))
        if len(some) > 1:
            complain(f"--checkpoint is for one board: {printable(some[1].name)} is another")
            return UNUSABLE
    return answer(entries, asked, about)


def request(options: argparse.Namespace, kind: str, output: Output | None, cluster: Cluster | None) -> Request:
    """What the options ask for."""
    from dataclasses import replace

    from enumerator.command.request import Request
    from enumerator.run import Plan
    from enumerator.run.executors import BACKENDS

    plain = "json" if options.json else "number" if options.quiet else "text"
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    plan = Plan(
        options.cores, options.limit, options.cutoff, BACKENDS.get(options.backend), complain, engine=options.engine
    )
    return Request(
        rendering="drawing" if plain == "text" and sys.stdout.isatty() else plain,
        plan=replace(plan, cluster=cluster, usable=cluster.cores) if cluster else plan,
        wanted=kind,
        number=options.nth or options.sample or 0,
        seed=options.seed,
        output=output,
        grids=options.grids,
        seconds=options.time_limit,
        checkpoint=options.checkpoint,
        verify=options.verify,
        progress=on_terminal and not (options.quiet or options.no_progress or is_shown(output)),
    )


def is_shown(output: Output | None) -> bool:
    """Whether solutions scroll over the terminal: a bar would be in their way."""
    return output is not None and output.is_terminal


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

    from enumerator.engines.search import kernel

    print(f"enumerator {enumerator.__version__}")
    checks = "on" if kernel.CHECKED else "off"
    print(f"kernel: compiled by {kernel.COMPILER} from Cython {kernel.CYTHON}, checks {checks}, flags {kernel.FLAGS}")
    print(f"Python {platform.python_version()} on {platform.machine()}")
    return ANSWERED
