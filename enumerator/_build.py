"""The build: compiled kernels and the source distribution. Not imported at run time.

Environment variables:

    ENUMERATOR_CFLAGS     more flags for the C compiler, after the default ones (e.g. -march=native)
    ENUMERATOR_CHECKED    if not empty, Cython checks bounds and overflows, and C its assertions
"""

import json
import os
import platform
import shlex
import sys
from contextlib import suppress
from glob import glob

from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.errors import FileError

SOURCES = (
    "*.md",
    "CITATION.cff",
    "enumerator/**/*.md",
    "enumerator/**/*.svg",
    "bench/**/*.py",
    "bench/corpora/*/*",
    "bench/puzzles/*",
    "bench/yardstick/*",
    "boards/**/*",
    "results/*",
    "tests/**/*",
    ".ci/run",
)
"""Files that setuptools does not find but that the two commands of the README need."""

UTILITIES = "enumerator._cyutility"
"""The extension that holds what Cython would otherwise compile into every kernel: half of the build."""


class BuildKernels(build_ext):
    """The `build_ext` command: compiles every kernel with the same settings."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True  # files in build/ may have been compiled with other settings

    def run(self) -> None:
        """Build, then copy the kernels beside their sources.

        In the repository's folder, Python imports the sources and not the installed package. Git
        and distributions ignore the copies. A read-only source tree gets none.
        """
        super().run()
        if not self.inplace:  # an in-place build has put them there already
            with suppress(OSError, FileError):
                self.copy_extensions_to_source()

    def build_extensions(self) -> None:
        """Run Cython on one kernel at a time, then the C compiler on all cores. Cython takes a third of the time."""
        from Cython.Build import cythonize

        checked = bool(os.environ.get("ENUMERATOR_CHECKED"))
        directives = {
            "language_level": "3str",
            "boundscheck": checked,
            "wraparound": False,
            "initializedcheck": checked,
            "cdivision": not checked,
            "overflowcheck": checked,
            "freethreading_compatible": True,  # the kernels need no lock: machine.h and sum.h have the atomics
        }
        flags = ["-O3", *instructions(), *shlex.split(os.environ.get("ENUMERATOR_CFLAGS", ""))]
        for ext in self.extensions:
            ext.extra_compile_args += flags
            ext.define_macros.append(("ENUMERATOR_FLAGS", json.dumps(" ".join(flags))))
            if checked:
                ext.define_macros.append(("ENUMERATOR_CHECKED", "1"))
            (made,) = cythonize(  # type: ignore[no-untyped-call]
                [ext],
                compiler_directives=directives,
                shared_utility_qualified_name=UTILITIES,
                force=True,
                quiet=True,
            )
            ext.sources = made.sources
        self.parallel = os.cpu_count()
        super().build_extensions()


def instructions() -> list[str]:
    """Return the flags for SSE4.2 and popcnt, which x86-64 processors have had for ten years."""
    flags = ["-msse4.2", "-mpopcnt"]
    if sys.platform == "darwin":  # one build may be for two kinds of processor
        return [part for flag in flags for part in ("-Xarch_x86_64", flag)]
    return flags if platform.machine().lower() in ("x86_64", "amd64") else []


class Sources(sdist):
    """The `sdist` command: adds the files that both commands of the README need."""

    def make_distribution(self) -> None:
        found = (path for pattern in SOURCES for path in sorted(glob(pattern, recursive=True)))
        self.filelist.extend(path for path in found if os.path.isfile(path) and "__pycache__" not in path)
        super().make_distribution()
