"""What a run of the suite leaves behind: its processes, their files in shared memory, temporary files.

Each process of a run has the environment variable MARK. A keeper, a process of its own, waits for the
end of the run, also where that is killed. It then ends what is left, and removes the folder of the run.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

MARK = "ENUMERATOR_TESTS"
SHARED_MEMORY = Path("/dev/shm")
CHROMIUMS = (".org.chromium.", "org.chromium.")
"""What the names of temporary files begin with that Chromium leaves at every end."""

PATIENCE = float(os.environ.get("ENUMERATOR_TESTS_PATIENCE", "10"))
"""Seconds in which trackers and browsers end after what they serve. A variable sets them: tests are in a hurry."""


def marked(folder: str, owner: int) -> dict[int, str]:
    """Return the processes of the run with this folder: the command line, and the test where it is known.

    The process that began the run and its own trackers, which end with it, are left out.
    """
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            variables = (entry / "environ").read_bytes().split(b"\0")
            if f"{MARK}={folder}".encode() not in variables or int(entry.name) == owner:
                continue
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == owner and "resource_tracker" in line:
                continue
            tests = [one.partition(b"=")[2].decode() for one in variables if one.startswith(b"PYTEST_CURRENT_TEST=")]
            found[int(entry.name)] = f"{line[:300]}{''.join(f', started by {test}' for test in tests)}"
    return found


def end_marked(folder: str, owner: int, seconds: float = PATIENCE) -> dict[int, str]:
    """Wait for the processes of a run to end by themselves; kill the others, and return them."""
    deadline = monotonic() + seconds
    while (left := marked(folder, owner)) and monotonic() < deadline:
        sleep(0.05)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left


def note_process(pid: int) -> None:
    """Note a process, whose files in shared memory are looked for at the end of the run."""
    if folder := os.environ.get(MARK):
        with suppress(FileNotFoundError), open(f"{folder}/processes", "a") as file:
            file.write(f"{pid}\n")


def shared_files(pids: set[int]) -> list[Path]:
    """Return the files of some processes in shared memory: those of loky and joblib have the id in their names."""
    if not SHARED_MEMORY.is_dir():
        return []
    names = sorted(SHARED_MEMORY.iterdir())
    return [path for path in names if pids & set(map(int, re.findall(r"(?<=[-_])\d+(?=[-_])", path.name)))]


def remove(paths: list[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


class Watch:
    """Knows what was there at the start of a run, and what the run has left at its end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.before = set(SHARED_MEMORY.glob("*"))

    def look(self) -> list[str]:
        """End and remove what is left; return a line for each. This process removes its own files when it ends."""
        said = [f"process {pid}: {line}" for pid, line in end_marked(str(self.folder), os.getpid()).items()]
        noted = self.folder / "processes"
        pids = set(map(int, noted.read_text().split())) if noted.exists() else set()
        files = [path for path in shared_files(pids - {os.getpid()}) if path not in self.before]
        files += sorted(path for path in (self.folder / "tmp").iterdir() if not path.name.startswith(CHROMIUMS))
        said += [f"file {path}" for path in files]
        remove(files)
        return said


@contextmanager
def kept(folder: Path) -> Iterator[Watch]:
    """Have a keeper look after the run with this folder, until the end of the block or of this process."""
    unmarked = {name: value for name, value in os.environ.items() if name != MARK}
    line = [sys.executable, "-I", "-S", __file__, str(folder), str(os.getpid())]
    with subprocess.Popen(line, stdin=subprocess.PIPE, env=unmarked, start_new_session=True):
        yield Watch(folder)


def main(folder: str, owner: str) -> None:
    """Wait for the end of standard input, which is the end of the run; end its processes and remove its folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.read()
    noted = Path(folder, "processes")
    pids = set(map(int, noted.read_text().split())) if noted.exists() else set()
    killed = end_marked(folder, int(owner), 1)
    remove(shared_files(pids & set(killed)))
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
