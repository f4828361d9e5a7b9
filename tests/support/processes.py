"""Processes for tests: the command in a session of its own, its workers, what it writes on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

COMMAND = str(Path(sys.executable).with_name("enumerate"))

Run = Callable[..., subprocess.CompletedProcess[str]]
"""A function that runs the command with some arguments."""


@contextmanager
def started(*arguments: str, program: str | None = None, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run the command, or a program in its place, in a session of its own; at the end kill the session.

    A test that workers end by themselves must look before the end of the block.
    """
    line = [COMMAND, *arguments] if program is None else [sys.executable, "-c", program, *arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(line, text=True, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def run_with_small_files(folder: Path, most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, where no file may grow beyond `most_bytes`."""
    return subprocess.run(
        [COMMAND, *arguments],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def children(pid: int) -> dict[int, str]:
    """Return the command lines of all processes below a process, without Python's resource trackers."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it is gone by now
            continue
        if parent == pid and "resource_tracker" not in line:
            found[int(entry.name)] = line
            found |= children(int(entry.name))
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


def wait_for(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Return whether a condition comes true within `seconds`."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        sleep(0.01)
    return True


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
        deadline = monotonic() + 30
        while monotonic() < deadline:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(leader)
        assert process.wait(timeout=10) == status
    text = shown.decode().replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;]*m", "", text) if plain else text
