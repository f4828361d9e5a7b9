"""How the kernels are compiled: used by `pip install`, never at run time.

ENUMERATOR_CFLAGS     flags for the C compiler, added behind ours (for instance -march=native)
ENUMERATOR_CHECKED    if set and not empty: bounds, overflows and assertions are checked
"""

import os
import platform
import sys

from setuptools import Extension
from setuptools.command.build_ext import build_ext


class BuildKernels(build_ext):
    """Cython and the C compiler with the same settings for every kernel."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True  # what lies in build/ may have been compiled with other settings

    def build_extension(self, ext: Extension) -> None:
        checked = bool(os.environ.get("ENUMERATOR_CHECKED"))
        directives = {
            "language_level": "3str",
            "boundscheck": checked,
            "wraparound": False,
            "initializedcheck": checked,
            "cdivision": not checked,
            "overflowcheck": checked,
        }
        vars(ext)["cython_directives"] = directives  # Cython's own attribute, unknown to setuptools' types
        flags = ["-O3", *instructions(), *os.environ.get("ENUMERATOR_CFLAGS", "").split()]
        ext.extra_compile_args += flags
        ext.define_macros.append(("ENUMERATOR_FLAGS", '"' + " ".join(flags) + '"'))
        if checked:
            ext.define_macros.append(("ENUMERATOR_CHECKED", "1"))
        super().build_extension(ext)


def instructions() -> list[str]:
    """What every processor of this kind has had since 2009, but compilers do not count on unasked."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return []
    flags = ["-msse4.2", "-mpopcnt"]
    if sys.platform == "darwin":  # one build may serve two kinds of processor
        return [part for flag in flags for part in ("-Xarch_x86_64", flag)]
    return flags
