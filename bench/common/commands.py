"""Programs as processes: `enumerate`, the yardstick, a module of bench; the end of a command by a mistake."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

from bench import ROOT, SHARED
from bench.common.memory import peak_of_tree

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

USER_ERROR = 2
"""The exit status after a mistake in the command line, or where something that is needed is absent."""

YARDSTICK = ROOT / "bench" / "yardstick" / "counter.c"
"""The source of the yardstick, a plain counter of 9×9 boards in C."""

PUBLISHED_YARDSTICK = SHARED / "yardstick" / "walk.c"
"""The source of another such counter, beside the repository; may be absent."""


END_SECONDS = 2.0
"""The time that processes have to end after SIGTERM, before they are killed."""


class TimeLimitError(Exception):
    """A measurement takes longer than its time limit."""

    memory = 0.0
    """The peak memory of the processes that were killed for it, in MB of 10^6 bytes; 0 if unknown."""


def refuse(message: str) -> NoReturn:
    """Print a sentence to standard error and end the command with status 2: the user made a mistake."""
    print(f"bench: {message}", file=sys.stderr)
    raise SystemExit(USER_ERROR)


def check_parts(names: Iterable[str], known: Iterable[str]) -> None:
    """End the command if one of the named parts of a measurement is not among the `known` ones."""
    if unknown := sorted(set(names) - set(known)):
        refuse(f"no such part: {', '.join(unknown)}")


def enumerate_command() -> str:
    """Return the path of the command `enumerate` that belongs to this Python."""
    return shutil.which("enumerate", path=os.path.dirname(sys.executable)) or "enumerate"


def has_compiler() -> bool:
    """Return whether there is a C compiler for the yardstick."""
    return shutil.which("cc") is not None


def compile_yardstick(folder: Path, source: Path = YARDSTICK) -> Path:
    """Compile a plain counter in C to a program in `folder` and return it; end the command without a compiler."""
    if not has_compiler():
        refuse("this needs a C compiler, as the command cc")
    program = folder / source.stem
    if subprocess.run(["cc", "-O2", "-o", program, source], check=False).returncode:
        refuse(f"cc cannot compile {source.name}")
    return program


def run_yardstick(program: Path, board: Path, timeout: float | None = None) -> tuple[int, float]:
    """Return the yardstick's solutions and seconds for a board.

    Raise TimeLimitError after `timeout` seconds.
    """
    try:
        done = subprocess.run([program, board], check=True, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise TimeLimitError from None
    _, solutions, _, seconds = done.stdout.rsplit(maxsplit=3)
    return int(solutions), float(seconds)


def end_group(process: subprocess.Popen[str]) -> None:
    """End a process that leads a group, and all others of the group.

    Python's trackers of resources ignore SIGTERM. They end after the others, and remove their semaphores.
    """
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        deadline = monotonic() + END_SECONDS
        while monotonic() < deadline:
            process.poll()
            os.killpg(process.pid, 0)
            sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)


def run_module(module: str, *arguments: str, text: str = "", timeout: float | None = None) -> str:
    """Run a module of bench in a new process with `text` on standard input; return its output.

    The process is in a session of its own, so Ctrl-C does not reach it. All its processes are
    killed when this returns. Raises TimeLimitError after `timeout` seconds, and SystemExit if it
    fails.
    """
    with subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired:
            error = TimeLimitError()
            error.memory = peak_of_tree(process.pid)
            raise error from None
        finally:
            end_group(process)
    if process.returncode:
        raise SystemExit(f"bench: {module} has failed:\n{errors}")
    return output
