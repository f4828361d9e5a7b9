"""Memory of processes, from /proc."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from bench import ROOT


def peak_of_command(*arguments: str, text: str = "") -> float:
    """Return the peak memory of a command `enumerate`, in MB, with `text` on its standard input.

    The process reports it itself: the figure that a parent gets begins with the parent's own
    memory.
    """
    program = (
        "import sys; from enumerator.command.main import main; status = main(sys.argv[1:]);"
        "print(open('/proc/self/status').read(), file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input=text,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT / "boards",
    )
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stderr)
    return int(kilobytes) / 1024


def peak_of_this_tree() -> float:
    """Return the peak memory of this process and its descendants together, in MB of 10^6 bytes."""
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    below = (status_bytes(pid, "VmHWM") / 1e6 for pid in descendants("self"))
    return sum(below, 0.0) + (status_bytes("self", "VmHWM") / 1e6 or mine)


def peak_of_tree(pid: int) -> float:
    """Return the peak memory of a process and its descendants together, in MB of 10^6 bytes; 0 without /proc."""
    return sum(status_bytes(each, "VmHWM") for each in (str(pid), *descendants(str(pid)))) / 1e6


def resident_in_tree(pid: int) -> float:
    """Return the resident memory of a process and its descendants, in MB of 2^20 bytes."""
    tree = [str(pid), *descendants(str(pid))]
    return sum(status_bytes(each, "VmRSS") for each in tree) / 2**20


def descendants(pid: str) -> list[str]:
    """Return the processes below a process; none where there is no /proc."""
    children: list[str] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it has ended by now
            children += thread.read_text().split()
    return [each for child in children for each in (child, *descendants(child))]


def status_bytes(pid: str, field: str) -> int:
    """Return a field of /proc/PID/status in bytes; 0 if there is none."""
    try:
        found = re.search(rf"{field}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
