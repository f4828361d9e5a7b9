"""The kernels' tests, over two builds that notice what the usual one lets pass.

    checked      Cython checks bounds, overflows and divisions, C its assertions
    sanitized    GCC's AddressSanitizer and UndefinedBehaviorSanitizer watch all of the C code

Each is built from a copy of the source tree, in a folder that is gone afterwards, and has to report some mistakes that
are made on purpose before it is given the tests. ENUMERATOR_CFLAGS is added to the flags of both.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench import ROOT

TESTS = (
    "engines/test_search.py",
    "questions/test_classify.py",
    "engines/test_contraction.py",
    "questions/test_solutions.py",
    "questions/test_candidates.py",
)
SANITIZERS = "-fsanitize=address,undefined"

OUT_OF_BOUNDS = """\
from array import array
from enumerator.contraction.network import carried
carried(array("H", [0]), [], array("H", [0]), array("B", [0]), 1)
"""
BY_ZERO = """\
from enumerator.search.kernel import lines
lines(b"", 0, ".")
"""
LOST = """\
from ctypes import CDLL, c_void_p
malloc = CDLL(None).malloc
malloc.restype = c_void_p
for _ in range(5):
    malloc(12345)
"""


@dataclass(frozen=True, slots=True)
class Build:
    """How to make a build, and how to know it: `pattern` are files that must hold all `marks`."""

    flags: str
    pattern: str
    marks: tuple[bytes, ...]
    reports: Mapping[str, str]  # a mistake, and what must be said of it
    while_built: Mapping[str, str]
    while_run: Mapping[str, str] = field(default_factory=dict)
    keyword: str = ""


BUILDS = {
    "checked": Build(
        flags="-O1",
        pattern="source/enumerator/**/*.c",
        marks=(b"__Pyx_RaiseBufferIndexError",),
        reports={OUT_OF_BOUNDS: "IndexError", BY_ZERO: "ZeroDivisionError"},
        while_built={"ENUMERATOR_CHECKED": "1"},
    ),
    "sanitized": Build(
        flags=f"-O1 -g {SANITIZERS} -fno-sanitize-recover=undefined -fno-omit-frame-pointer",
        pattern="installed/enumerator/**/*.so",
        marks=(b"__asan_report_load", b"__ubsan_handle"),
        reports={OUT_OF_BOUNDS: "heap-buffer-overflow", BY_ZERO: "division by zero", LOST: "detected memory leaks"},
        while_built={"LDFLAGS": SANITIZERS},
        while_run={
            "ASAN_OPTIONS": "detect_leaks=1",  # of what nothing points to any more: Python itself has none of that
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",  # in Python's own pools there is nothing between a buffer and the next
        },
        # half the time, for loops that others run too; and tests that say how long something may take
        keyword="not (all_plans or all_oracles or every_symmetry or every_digit_is or at_once or short or not_counted)",
    ),
}


class FailedError(Exception):
    """A build that could not be made, is not what it should be, or fails a test; says what was printed."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--build", choices=BUILDS, help="one of them (default: both)")
    parser.add_argument(
        "--keyword", help="which tests, as for pytest -k (default: all, but none of the slowest under sanitizers)"
    )


def run(options: argparse.Namespace) -> int:
    status = 0
    for name in [options.build] if options.build else BUILDS:
        build = BUILDS[name]
        keyword = build.keyword if options.keyword is None else options.keyword
        print(f"{name:<12}", end="", flush=True)
        with TemporaryDirectory(prefix=f"{name}-") as folder:
            try:
                seconds = make(build, Path(folder))
                print(f"built in {seconds:.0f} s, ", end="", flush=True)
                prove(build, Path(folder))
                print(check(build, Path(folder), keyword), flush=True)
            except FailedError as error:
                print(f"FAILED\n{error}", flush=True)
                status = 1
    return status


def make(build: Build, folder: Path) -> float:
    """Install the package from a copy of its sources; returns the seconds that takes."""
    started = perf_counter()
    leave_out = shutil.ignore_patterns(".*", "build", "*.so", "*.egg-info", "*.c", "__pycache__", "results", "tests")
    shutil.copytree(ROOT, folder / "source", ignore=leave_out)
    environment = {**os.environ, **build.while_built, "ENUMERATOR_CFLAGS": flags(build)}
    options = ["--quiet", "--no-build-isolation", "--no-deps", "--target", "installed"]
    done = python(folder, environment, "-m", "pip", "install", *options, "./source")
    if done.returncode:
        raise FailedError(done.stdout)
    return perf_counter() - started


def prove(build: Build, folder: Path) -> None:
    """Raise FailedError unless every kernel has been built in this way, and mistakes are reported."""
    kernels = list((ROOT / "enumerator").glob("**/*.pyx"))
    files = [path for path in folder.glob(build.pattern) if all(mark in path.read_bytes() for mark in build.marks)]
    if len(files) != len(kernels):
        raise FailedError(f"{len(kernels)} kernels, but {build.marks} in {[path.name for path in files]}")
    environment = environment_of(build, folder)
    done = python(folder, environment, "-c", "from enumerator.engines.search import kernel; print(kernel.FLAGS)")
    if not done.stdout.endswith(f" {flags(build)}\n"):
        raise FailedError(f"not compiled with {flags(build)}: {done.stdout}")
    for mistake, report in build.reports.items():
        done = python(folder, environment, "-c", mistake)
        if done.returncode == 0 or report not in done.stdout:
            raise FailedError(f"{mistake}ends with status {done.returncode}, without {report}:\n{done.stdout}")


def check(build: Build, folder: Path, keyword: str) -> str:
    """Run the kernels' tests; returns what pytest says at the end."""
    # What a sanitizer writes goes to the file of standard error, which pytest would catch and take along when it dies.
    options = ["-q", "-p", "no:cacheprovider", "--numprocesses=0", "--capture=sys", "-k", keyword]
    tests = [str(ROOT / "tests" / name) for name in TESTS]
    done = python(folder, environment_of(build, folder), "-m", "pytest", *options, *tests)
    if done.returncode:
        raise FailedError(done.stdout)
    return done.stdout.splitlines()[-1]


def flags(build: Build) -> str:
    return f"{build.flags} {os.environ.get('ENUMERATOR_CFLAGS', '')}".strip()


def environment_of(build: Build, folder: Path) -> dict[str, str]:
    """What a build needs while it runs. The sanitizer must be there before anything else is."""
    environment = {**os.environ, **build.while_run, "PYTHONPATH": str(folder / "installed")}
    if SANITIZERS in build.flags:
        environment["LD_PRELOAD"] = library("libasan.so")
    return environment


def library(name: str) -> str:
    """A library of the compiler that builds the kernels."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    done = subprocess.run([*compiler, f"-print-file-name={name}"], stdout=subprocess.PIPE, text=True, check=True)
    if not os.path.isabs(done.stdout):  # it says so much of what it does not have
        raise FailedError(f"{shlex.join(compiler)} has no {name}: this needs GCC and its sanitizers")
    return done.stdout.strip()


def python(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
