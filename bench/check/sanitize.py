"""The kernels' tests, on two builds that detect errors which the usual build does not.

    checked      Cython checks bounds, overflows and divisions, C its assertions
    sanitized    GCC's AddressSanitizer and UndefinedBehaviorSanitizer watch all of the C code

Each is built from a copy of the source tree, in a temporary folder. Before the tests it has to
report some deliberate mistakes. ENUMERATOR_CFLAGS is added to the flags of both.

With --kept, kernels come from a folder if they were built before: from the same sources, with the
same flags, by the same Python, Cython and compiler. Python modules are always copied from the tree.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench import ROOT

TESTS = (
    "engines/test_search.py",
    "engines/test_search_slices.py",
    "engines/test_probes.py",
    "engines/test_reduce.py",
    "engines/test_learning_walk.py",
    "engines/test_learning_clauses.py",
    "questions/test_classify.py",
    "engines/test_contraction.py",
    "engines/test_contraction_tables.py",
    "questions/test_solutions.py",
    "questions/test_nth.py",
    "questions/test_sample.py",
    "questions/test_candidates.py",
)
SANITIZERS = "-fsanitize=address,undefined"

KERNEL_SOURCES = ("pyproject.toml", "enumerator/_build.py", "enumerator/**/*.py[xd]", "enumerator/**/*.h")
"""Files of which the kernels are made."""

OUT_OF_BOUNDS = """\
from array import array
from enumerator.engines.contraction.network import relabel_along_path
relabel_along_path(array("H", [0]), [], array("H", [0]), array("B", [0]), 1)
"""
BY_ZERO = """\
from enumerator.engines.walks.boards import lines
lines(b"", 0, ".")
"""
LEAK = """\
from ctypes import CDLL, c_void_p
malloc = CDLL(None).malloc
malloc.restype = c_void_p
for _ in range(5):
    malloc(12345)
"""


@dataclass(frozen=True, slots=True)
class Build:
    """A way to build: flags and environments; files of `pattern` must hold all `marks`."""

    flags: str
    pattern: str
    marks: tuple[bytes, ...]
    reports: Mapping[str, str]  # a deliberate mistake, and what must be reported of it
    build_environment: Mapping[str, str]
    run_environment: Mapping[str, str] = field(default_factory=dict)
    keyword: str = ""


BUILDS = {
    "checked": Build(
        flags="-O1",
        pattern="source/enumerator/**/*.c",
        marks=(b"__Pyx_RaiseBufferIndexError",),
        reports={OUT_OF_BOUNDS: "IndexError", BY_ZERO: "ZeroDivisionError"},
        build_environment={"ENUMERATOR_CHECKED": "1"},
    ),
    "sanitized": Build(
        flags=f"-O1 -g {SANITIZERS} -fno-sanitize-recover=undefined -fno-omit-frame-pointer",
        pattern="installed/enumerator/**/*.so",
        marks=(b"__asan_report_load", b"__ubsan_handle"),
        reports={OUT_OF_BOUNDS: "heap-buffer-overflow", BY_ZERO: "division by zero", LEAK: "detected memory leaks"},
        build_environment={"LDFLAGS": SANITIZERS},
        run_environment={
            "ASAN_OPTIONS": "detect_leaks=1",  # memory that no pointer refers to: Python itself leaks none
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",  # Python's own pools have no gap between two buffers
        },
        # tests that take half the time for loops that others run too; those of time and memory limits; and those
        # that compile something, since the sanitizer would watch the compiler
        keyword="not (all_plans or all_oracles or every_symmetry or every_digit_is or at_once or short or not_counted"
        " or memory or the_checker)",
    ),
}


class FailedError(Exception):
    """A build failed, lacks its checks, or fails a test; the message is the output."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--build", choices=BUILDS, help="one of them (default: both)")
    parser.add_argument(
        "--keyword", help="which tests, as for pytest -k (default: all, but none of the slowest under sanitizers)"
    )
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="keep kernels there, and use those that are there")


def run(options: argparse.Namespace) -> int:
    status = 0
    for name in [options.build] if options.build else BUILDS:
        build = BUILDS[name]
        keyword = build.keyword if options.keyword is None else options.keyword
        print(f"{name:<12}", end="", flush=True)
        with TemporaryDirectory(prefix=f"{name}-") as folder:
            try:
                seconds = install(build, Path(folder), options.kept)
                print(f"built in {seconds:.0f} s, ", end="", flush=True)
                check_build(build, Path(folder))
                print(run_tests(build, Path(folder), keyword), flush=True)
            except FailedError as error:
                print(f"FAILED\n{error}", flush=True)
                status = 1
    return status


def install(build: Build, folder: Path, kept: Path | None = None) -> float:
    """Install the package from a copy of its sources, or with the kernels in `kept`; return the seconds."""
    started = perf_counter()
    leave_out = shutil.ignore_patterns(".*", "build", "*.so", "*.egg-info", "*.c", "__pycache__", "results", "tests")
    shutil.copytree(ROOT, folder / "source", ignore=leave_out)
    archive = kept and kept / f"{name_of_kernels(build)}.tar"
    if archive and archive.exists():
        shutil.copytree(folder / "source" / "enumerator", folder / "installed" / "enumerator")
        shutil.unpack_archive(archive, folder, filter="data")
        return perf_counter() - started
    environment = {**os.environ, **build.build_environment, "ENUMERATOR_CFLAGS": all_flags(build)}
    options = ["--quiet", "--no-build-isolation", "--no-deps", "--target", "installed"]
    done = run_python(folder, environment, "-m", "pip", "install", *options, "./source")
    if done.returncode:
        raise FailedError(done.stdout)
    if archive:
        keep_kernels(folder, archive)
    return perf_counter() - started


def name_of_kernels(build: Build) -> str:
    """Return a digest of all that decides how the kernels become: sources, flags and tools."""
    compiler = [*compiler_command(), "--version"]
    tools = subprocess.run(compiler, stdout=subprocess.PIPE, text=True, check=True).stdout
    digest = hashlib.sha256(repr((sys.version, version("Cython"), tools, all_flags(build), build)).encode())
    for path in sorted(path for pattern in KERNEL_SOURCES for path in ROOT.glob(pattern)):
        digest.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def keep_kernels(folder: Path, archive: Path) -> None:
    """Write the kernels and their C code to an archive; no other process sees a part of it."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    made = archive.with_suffix(f".{os.getpid()}")
    with tarfile.open(made, "w") as file:
        for pattern in ("source/enumerator/**/*.c", "installed/enumerator/**/*.so"):
            for path in folder.glob(pattern):
                file.add(path, path.relative_to(folder))
    made.replace(archive)


def check_build(build: Build, folder: Path) -> None:
    """Raise FailedError unless every kernel has its checks and mistakes are reported."""
    kernels = {path.relative_to(ROOT).with_suffix("") for path in (ROOT / "enumerator").glob("**/*.pyx")}
    files = [path for path in folder.glob(build.pattern) if all(mark in path.read_bytes() for mark in build.marks)]
    top = folder / build.pattern.partition("/")[0]
    if lacking := kernels - {path.relative_to(top).with_name(path.name.partition(".")[0]) for path in files}:
        raise FailedError(f"no {build.marks} in {sorted(map(str, lacking))}")
    environment = run_environment_of(build, folder)
    done = run_python(folder, environment, "-c", "from enumerator.engines.search import kernel; print(kernel.FLAGS)")
    if not done.stdout.endswith(f" {all_flags(build)}\n"):
        raise FailedError(f"not compiled with {all_flags(build)}: {done.stdout}")
    for mistake, report in build.reports.items():
        done = run_python(folder, environment, "-c", mistake)
        if done.returncode == 0 or report not in done.stdout:
            raise FailedError(f"{mistake}ends with status {done.returncode}, without {report}:\n{done.stdout}")


def run_tests(build: Build, folder: Path, keyword: str) -> str:
    """Run the kernels' tests; return the last line of pytest."""
    # A sanitizer writes to the descriptor of standard error; captured by pytest, that would be lost when it dies.
    options = ["-q", "-p", "no:cacheprovider", "--numprocesses=0", "--capture=sys", "-k", keyword]
    tests = [str(ROOT / "tests" / name) for name in TESTS]
    done = run_python(folder, run_environment_of(build, folder), "-m", "pytest", *options, *tests)
    if done.returncode:
        raise FailedError(done.stdout)
    return done.stdout.splitlines()[-1]


def all_flags(build: Build) -> str:
    return f"{build.flags} {os.environ.get('ENUMERATOR_CFLAGS', '')}".strip()


def run_environment_of(build: Build, folder: Path) -> dict[str, str]:
    """Return the environment that a build runs in; a sanitizer must be loaded first of all."""
    environment = {**os.environ, **build.run_environment, "PYTHONPATH": str(folder / "installed")}
    if SANITIZERS in build.flags:
        environment["LD_PRELOAD"] = compiler_library("libasan.so")
    return environment


def compiler_command() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def compiler_library(name: str) -> str:
    """Return the path of a library of the compiler that builds the kernels."""
    compiler = compiler_command()
    done = subprocess.run([*compiler, f"-print-file-name={name}"], stdout=subprocess.PIPE, text=True, check=True)
    if not os.path.isabs(done.stdout):  # the bare name: the compiler does not have it
        raise FailedError(f"{shlex.join(compiler)} has no {name}: this needs GCC and its sanitizers")
    return done.stdout.strip()


def run_python(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
