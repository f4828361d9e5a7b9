"""What tests depend on beside the code: signals, environment, limits, standard streams, a temporary folder.

`arrange` sets all of it when conftest.py is imported: in the process that was started, before it starts
workers, and in each worker. Commands inherit it. So it does not matter how the suite was started.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import signal
import site
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

MARK = "ENUMERATOR_TESTS"
"""The environment variable that names the folder of this run. It marks each process that the run starts."""

DROPPED = (
    *("BASH_ENV", "BROWSER", "CDPATH", "CLICOLOR", "COLORTERM", "COLUMNS", "DISPLAY", "ENV", "FORCE_COLOR", "LANGUAGE"),
    *("LINES", "MANPAGER", "NO_COLOR", "PAGER", "POSIXLY_CORRECT", "SOURCE_DATE_EPOCH", "WAYLAND_DISPLAY", "ZDOTDIR"),
)
"""Environment variables that tests do not see."""

DROPPED_GROUPS = ("DASK_", "GIT_", "JOBLIB_", "JUPYTER_", "LC_", "MPL", "PYTHON", "TTY_", "XDG_")
"""The first letters of more of them."""

KEPT = ("PYTHONHOME", "PYTHONNOUSERSITE", "PYTHONPATH", "PYTHONPYCACHEPREFIX", "PYTHON_GIL")
"""The variables of these groups that stay: they say where modules are, and which Python this is."""

FILES = 4096
"""Open files that the suite asks for: one test opens 1,300 connections."""

STACK_BYTES = 8 << 20
"""The usual stack of a process."""


def arrange() -> str:
    """Set everything; return what could not be set, in one sentence, or ''."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ and Path(os.environ.get(MARK, "")).is_dir()
    reset_signals()
    open_standard_streams()
    os.umask(0o022)
    if is_worker:  # readline, which pytest imports, has set the size of a terminal
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
    else:
        reset_environment(new_folder())
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ.get("PYTHONPYCACHEPREFIX")
    tempfile.tempdir = None  # to be looked up again
    return "; ".join(reset_limits())


def is_owner() -> bool:
    """Return True in the process whose end is the end of the run."""
    return "PYTEST_XDIST_WORKER" not in os.environ


def run_folder() -> Path:
    """Return the folder of this run."""
    return Path(os.environ[MARK])


def reset_signals() -> None:
    """Handle all signals as after a start by an interactive shell, and block none.

    A script's `command &` has SIGINT ignored, and `nohup` has SIGHUP; children inherit that. Python
    ignores SIGPIPE and SIGXFSZ itself, and `subprocess` gives their defaults to children.
    """
    for number in signal.valid_signals() - {signal.SIGPIPE, getattr(signal, "SIGXFSZ", signal.SIGPIPE)}:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def end_as_by_interrupt() -> None:
    """Let SIGTERM and SIGHUP end the suite as Ctrl-C does: fixtures then end what they have started."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def open_standard_streams() -> None:
    """Open the standard streams that are closed: files of tests would get their numbers."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)


def new_folder() -> Path:
    """Make the folder of this run, with a home and a folder for temporary files."""
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())  # pytest keeps the folders of some runs
    folder = Path(tempfile.mkdtemp(prefix="enumerator-tests-"))
    for name in ("home", "tmp", "cache"):
        (folder / name).mkdir()
    atexit.register(remove_if_in, os.getpid(), folder)
    return folder


def remove_if_in(process: int, folder: Path) -> None:
    """Remove a folder at the end of this process, not of its forks. A run that has begun has a keeper for that."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def reset_environment(folder: Path) -> None:
    """Set the environment of tests, with the home and the temporary files of this run."""
    packages, before = site.getuserbase(), dict(os.environ)  # found by HOME, which changes
    for name in before:
        if name in DROPPED or (name.startswith(DROPPED_GROUPS) and name not in KEPT):
            del os.environ[name]
    if path := before.get("PYTHONPATH"):
        os.environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, path.split(os.pathsep)))
    cache = own_cache(folder)
    os.environ |= {
        MARK: str(folder),
        "BROWSER": "true",
        "HOME": str(folder / "home"),
        "LANG": "C.UTF-8",
        "PYTHONFAULTHANDLER": "1",  # SIGABRT shows where a command is
        "PYTHONUSERBASE": packages,
        "TERM": "xterm",
        "TMPDIR": str(folder / "tmp"),
        "TZ": "UTC",
        "XDG_CACHE_HOME": str(cache),
    }
    if not is_compiled_here(before):
        os.environ["PYTHONPYCACHEPREFIX"] = str(cache / "bytecode")


def own_cache(folder: Path) -> Path:
    """Return the folder for what is costly to make again: beside pytest's cache, or the run's own."""
    beside = ROOT / ".pytest_cache" / "d" / "suite"
    try:
        beside.mkdir(parents=True, exist_ok=True)
    except OSError:
        return folder / "cache"
    return beside if os.access(beside, os.W_OK) else folder / "cache"


def is_compiled_here(environment: dict[str, str]) -> bool:
    """Return True if Python may keep compiled modules where it does by itself, or in a folder that was set.

    Otherwise each command that a test starts would compile a hundred modules again.
    """
    if prefix := environment.get("PYTHONPYCACHEPREFIX"):
        return os.path.isabs(prefix) and os.access(prefix, os.W_OK)
    return not environment.get("PYTHONDONTWRITEBYTECODE") and os.access(ROOT, os.W_OK)


def reset_limits() -> list[str]:
    """Set the limits of an interactive shell; return what hinders tests and cannot be set."""
    wanted = {resource.RLIMIT_NOFILE: FILES, resource.RLIMIT_STACK: STACK_BYTES, resource.RLIMIT_CORE: 0}
    endless = {
        resource.RLIMIT_AS: "address space",
        resource.RLIMIT_CPU: "processor time",
        resource.RLIMIT_DATA: "data",
        resource.RLIMIT_FSIZE: "files",
    }
    for kind in (*wanted, *endless):
        most = resource.getrlimit(kind)[1]
        known = [number for number in (wanted.get(kind, most), most) if number != resource.RLIM_INFINITY]
        resource.setrlimit(kind, (min(known, default=most), most))
    hindrances = []
    if (files := resource.getrlimit(resource.RLIMIT_NOFILE)[0]) < FILES:
        hindrances.append(f"only {files} files may be open (ulimit -Hn), and tests open up to {FILES}")
    for kind, name in endless.items():
        if (most := resource.getrlimit(kind)[1]) != resource.RLIM_INFINITY:
            hindrances.append(f"{name} is limited to {most:,}")
    return hindrances
