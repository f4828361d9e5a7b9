"""How the kernels are compiled: used by `pip install`, never at run time.

ENUMERATOR_CFLAGS     flags for the C compiler, added behind ours (for instance -march=native)
ENUMERATOR_CHECKED    if set and not empty: Cython checks bounds and overflows, C its assertions
"""

import json
import os
import platform
import shlex
import sys
from glob import glob

from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist


class BuildKernels(build_ext):
    """Cython and the C compiler with the same settings for every kernel."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True  # what lies in build/ may have been compiled with other settings

    def build_extensions(self) -> None:
        """Cython first, one by one, which takes a third of the time; then the C compiler, on all cores."""
        from Cython.Build import cythonize

        checked = bool(os.environ.get("ENUMERATOR_CHECKED"))
        directives = {
            "language_level": "3str",
            "boundscheck": checked,
            "wraparound": False,
            "initializedcheck": checked,
            "cdivision": not checked,
            "overflowcheck": checked,
        }
        flags = ["-O3", *instructions(), *shlex.split(os.environ.get("ENUMERATOR_CFLAGS", ""))]
        for ext in self.extensions:
            ext.extra_compile_args += flags
            ext.define_macros.append(("ENUMERATOR_FLAGS", json.dumps(" ".join(flags))))
            if checked:
                ext.define_macros.append(("ENUMERATOR_CHECKED", "1"))
            (made,) = cythonize([ext], compiler_directives=directives, force=True, quiet=True)  # type: ignore[no-untyped-call]
            ext.sources = made.sources
        self.parallel = os.cpu_count()
        super().build_extensions()


def instructions() -> list[str]:
    """SSE4.2 and popcnt: every x86-64 processor of the last ten years has them, but compilers have to be told."""
    flags = ["-msse4.2", "-mpopcnt"]
    if sys.platform == "darwin":  # one build may be for two kinds of processor
        return [part for flag in flags for part in ("-Xarch_x86_64", flag)]
    return flags if platform.machine().lower() in ("x86_64", "amd64") else []


class Sources(sdist):
    """A source distribution that both commands of the README work from."""

    def make_distribution(self) -> None:
        for pattern in (
            "*.md",
            "enumerator/**/*.md",
            "enumerator/**/*.svg",
            "bench/*.py",
            "bench/corpora/*/*",
            "boards/*",
            "results/*",
            "tests/**/*.py",
            ".ci/run",
        ):
            self.filelist.extend(sorted(glob(pattern, recursive=True)))
        super().make_distribution()
