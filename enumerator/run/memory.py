"""The memory of this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_MEMINFO = "/proc/meminfo"
_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""The files with the memory limit of a container, in versions 2 and 1 of control groups."""


def available_memory() -> int | None:
    """Return the bytes that this process can use without swapping; None if the system does not say.

    On Linux, files in memory that can be dropped count as available. Elsewhere, the answer is the
    whole memory of the machine.
    """
    found = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path(_MEMINFO).read_text().splitlines()
        found += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    if not found:
        with suppress(OSError, ValueError, AttributeError):
            found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in _CONTAINER_LIMITS:
        with suppress(OSError, ValueError):  # "max" is no limit
            found.append(int(Path(name).read_text()))
    return min(found, default=None)
