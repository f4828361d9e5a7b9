"""Processes for tests: the command in a session of its own, its workers, what it writes on a terminal.

Tests start every process by `started` or `run`. So it is ended with the test, and says what it does
where it does not end in time.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fcntl import ioctl
from pathlib import Path
from termios import FIONREAD
from time import monotonic, sleep
from typing import IO, Any

from support.leftovers import note_process, remove, shared_files

COMMAND = str(Path(sys.executable).with_name("enumerate"))

PATIENCE = 60.0
"""The longest wait for what must happen, in seconds: much longer than it takes on a busy machine."""

EARLY_PROCESSES = """
import sys
from enumerator.__main__ import secure_standard_streams
secure_standard_streams()
from enumerator.command.main import main
from enumerator.run.pacing import Pacing
sys.exit(main(pacing=Pacing(pool_worth=0, pool_seconds=0)))
"""
"""A program in the place of the command, which starts processes at once and not after a second."""

EARLY_BAR = """
import sys
from enumerator.command.main import main
from enumerator.questions import progress_bar
progress_bar.FIRST_SECONDS, progress_bar.REDRAW_SECONDS = 0.05, 0.02
sys.exit(main())
"""
"""A program in the place of the command, whose progress bar appears at once and not after half a second."""

Run = Callable[..., subprocess.CompletedProcess[str]]
"""A function that runs the command with some arguments."""


class StillRunningError(AssertionError):
    """A process that did not end in time: its line, what it has written, its stack, its children."""


class Command(subprocess.Popen[str]):
    """A process in a session of its own. Where it does not end in time, it is ended and described."""

    def __init__(self, line: Sequence[str | Path], **options: Any) -> None:
        nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        own = {"text": True, "env": os.environ}  # as Python knows it: readline sets variables without Python
        super().__init__(line, **{**nothing, **own, **options}, start_new_session=True)
        note_process(self.pid)

    def wait(self, timeout: float | None = PATIENCE) -> int:
        """Wait for the end, and return the status."""
        try:
            return super().wait(timeout)
        except subprocess.TimeoutExpired:
            raise self.described(f"did not end within {timeout:.0f} s") from None

    def communicate(self, input: str | None = None, timeout: float | None = PATIENCE) -> tuple[str, str]:  # noqa: A002
        """Write the input, wait for the end, and return the output and the messages."""
        try:
            return super().communicate(input, timeout)
        except subprocess.TimeoutExpired:
            raise self.described(f"did not end within {timeout:.0f} s") from None

    def line(self) -> str:
        """Wait for a line of output, and return it. Only for the first line: others may be in a buffer."""
        assert self.stdout
        if not select.select([self.stdout], [], [], PATIENCE)[0]:
            raise self.described(f"wrote nothing within {PATIENCE:.0f} s")
        return self.stdout.readline()

    def described(self, fault: str, shown: str = "") -> StillRunningError:
        """End the session by SIGABRT, one process after the other, which shows their stacks; return all as an error."""
        below = [f"  {pid}: {line}" for pid, line in children(self.pid).items()]
        for pid in sorted(session(self.pid), key=lambda pid: pid != self.pid):
            with suppress(OSError):
                os.kill(pid, signal.SIGABRT)
            wait_for(lambda pid=pid: not is_alive(pid), 2)  # type: ignore[misc]
        self.end()
        output, errors = None, None
        with suppress(ValueError, subprocess.TimeoutExpired):  # a stream that the test has closed, or shares
            output, errors = super().communicate(timeout=2)
        parts = [f"{self.pid} {fault}: {self.args!r}"]
        parts += ["children:\n" + "\n".join(below)] if below else ["no children"]
        parts += [f"{name}:\n{text}" for name, text in (("output", shown or output), ("errors", errors)) if text]
        return StillRunningError("\n".join(parts))

    def end(self) -> None:
        """Kill the process and all below it, and remove what they share with others in memory.

        The trackers of resources are killed last: they remove the files of those that are killed.
        """
        trackers: set[int] = set()
        pids = {self.pid}
        while others := family(self.pid) - trackers:  # some may just be starting others
            pids |= others
            trackers |= {pid for pid in others if "resource_tracker" in line_of(pid)}
            kill_all(others - trackers)
        wait_for(lambda: not any(map(is_alive, trackers)), 2)
        kill_all(trackers)
        remove(shared_files(pids))


@contextmanager
def started(*arguments: str, program: str | None = None, **options: Any) -> Iterator[Command]:
    """Run the command, or a program in its place, in a session of its own; at the end kill the session.

    A test that workers end by themselves must look before the end of the block.
    """
    line = [COMMAND, *arguments] if program is None else [sys.executable, "-c", program, *arguments]
    with launched(line, **options) as process:
        yield process


@contextmanager
def launched(line: Sequence[str | Path], **options: Any) -> Iterator[Command]:
    """Run any program in a session of its own; at the end kill the session."""
    with Command(line, **options) as process:
        try:
            yield process
        finally:
            process.end()


def run(
    line: Sequence[str | Path] | str,
    *,
    stdin: str | Any = "",
    timeout: float = PATIENCE,
    status: int | None = None,
    **options: Any,
) -> subprocess.CompletedProcess[str]:
    """Run a program, or a line of the shell, to its end in a session of its own.

    `stdin` is its input, or a file. With `status`, it must have this exit status.
    """
    words = ["sh", "-c", line] if isinstance(line, str) else line
    typed = stdin if isinstance(stdin, str) else None
    with launched(words, stdin=subprocess.PIPE if typed else stdin or subprocess.DEVNULL, **options) as process:
        output, errors = process.communicate(typed or None, timeout)
    assert status is None or process.returncode == status, (words, process.returncode, output, errors)
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


def run_python(program: str, *arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a Python program to its end, as `run` does."""
    return run([sys.executable, "-c", program, *arguments], **options)


def run_with_small_files(folder: Path, most_bytes: int, *line: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, where no file may grow beyond `most_bytes`.

    It writes no bytecode: Python 3.11 would leave the beginning of a file, on which all others fail.
    """
    own = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    limit = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2); "
    return run_python(
        f"{limit}os.execv(sys.argv[2], sys.argv[2:])", str(most_bytes), *line, cwd=folder, timeout=360, env=own
    )


def line_of(pid: int) -> str:
    """Return the command line of a process; '' if it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def kill_all(pids: set[int]) -> None:
    """Kill processes that have not ended."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def all_processes() -> dict[int, tuple[str, int, int]]:
    """Return the state, the parent and the session of every process, read once: waits ask a hundred times a second."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb", buffering=0) as file:
                state, parent, _, leader = file.read().rpartition(b")")[2].split(maxsplit=4)[:4]
                found[int(name)] = state.decode(), int(parent), int(leader)
    return found


def family(pid: int) -> set[int]:
    """Return the processes of a session, and those below them in whatever session, that have not ended."""
    alive = {one: (parent, leader) for one, (state, parent, leader) in all_processes().items() if state != "Z"}
    found: set[int] = set()
    while more := {one for one, of in alive.items() if {*of} & {pid, *found}} - found:
        found |= more
    return found | ({pid} & alive.keys())


def session(leader: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    return [one for one, (state, _, of) in all_processes().items() if of == leader and state != "Z"]


def is_alive(pid: int) -> bool:
    """Return True if a process is there and has not ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def children(pid: int) -> dict[int, str]:
    """Return the command lines of all processes below a process.

    Python's resource trackers are left out, and what Playwright starts: a browser starts and ends processes itself.
    """
    below = defaultdict[int, list[int]](list)
    for one, (_, parent, _) in all_processes().items():
        below[parent].append(one)
    found: dict[int, str] = {}
    above = [pid]
    while above:
        for child in below[above.pop()]:
            line = line_of(child)
            if "resource_tracker" not in line:
                found[child] = line
                if "playwright" not in line:
                    above.append(child)
    return found


def workers(pid: int) -> list[int]:
    """Return the worker processes of a process, those of loky and of joblib."""
    return sorted(child for child, line in children(pid).items() if "popen_loky" in line)


def assert_mistake(done: subprocess.CompletedProcess[str], message: str) -> None:
    """Assert that the command ended with status 2, an empty standard output and one line of error."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("enumerate: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def reports(folder: Path) -> list[Any]:
    """Return the reports of counts that did not agree."""
    return [json.loads(path.read_text()) for path in folder.glob("enumerator-mismatch-*.json")]


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Return whether a condition comes true within `seconds`."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        sleep(0.01)
    return True


def unread_bytes(pipe: IO[str] | None) -> int:
    """Return the number of bytes that a process has written to a pipe and nobody has read."""
    assert pipe
    (found,) = struct.unpack("i", ioctl(pipe, FIONREAD, bytes(4)))
    return int(found)


def seconds_of_work(pid: int) -> float:
    """Return the processor time of a process: beyond 0.5 s its start-up is over, however busy the machine."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def on_a_terminal(
    *arguments: str, columns: int = 100, plain: bool = True, program: str | None = None, status: int = 0, **more: Any
) -> str:
    """Return the text that the command writes on a terminal `columns` wide, with `more` environment variables.

    `program` is a program in the place of the command. With `plain`, styles are left out. The exit
    status has to be `status`.
    """
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "50", **more}
    streams = {"stdout": follower, "stderr": follower, "stdin": follower}
    with started(*arguments, program=program, env=environment, **streams) as process:
        os.close(follower)
        shown = b""
        with os.fdopen(leader, "rb", buffering=0) as screen, suppress(OSError):  # an error at the end
            while select.select([screen], [], [], PATIENCE)[0]:
                if not (part := screen.read(4096)):
                    break
                shown += part
            else:
                raise process.described(f"showed nothing within {PATIENCE:.0f} s", shown.decode(errors="replace"))
        assert process.wait() == status
    text = shown.decode().replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;]*m", "", text) if plain else text
