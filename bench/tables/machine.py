"""Facts about the machine and the program, written above the rows of every table."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from bench import ROOT
from enumerator import __version__
from enumerator.engines.search import kernel
from enumerator.run.workers.executors import usable_cores

IDENTITY = ("cpu", "cores", "python", "compiler", "version", "commit")
"""The facts that must be the same when a table is resumed."""


def machine_facts() -> dict[str, str]:
    """Return names and values, in the order in which they are written."""
    return {
        "cpu": processor(),
        "cores": f"{usable_cores()} usable, {os.cpu_count()} in all",
        "memory": f"{memory_gigabytes():.0f} GB",
        "load": f"{os.getloadavg()[0]:.2f} at the start",
        "os": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": f"{kernel.COMPILER}, flags {kernel.FLAGS}",
        "version": __version__,
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
    }


def processor() -> str:
    """Return the model name of the processor; without /proc/cpuinfo, its architecture."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def memory_gigabytes() -> float:
    """Return the physical memory of the machine, in GB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def commit() -> str:
    """Return the last commit that changed the package, marked if files differ from it.

    "unknown" without git.
    """
    try:
        name = git("log", "-1", "--format=%h", "--abbrev=12", "--", "enumerator", "pyproject.toml")
        changed = git("status", "--porcelain", "--", "enumerator", "pyproject.toml")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}, changed since" if changed else name or "unknown"


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()
