"""The choice of an instruction set, one for all compiled kernels.

Each kernel is compiled for several instruction sets (`processor.h`), and all versions give the same
results. By default, the newest set of the processor is used. The environment variable
ENUMERATOR_INSTRUCTIONS names another one, for tests and comparisons.
"""

from __future__ import annotations

import os

VARIABLE = "ENUMERATOR_INSTRUCTIONS"

NAMES = ("baseline", "x86-64-v3", "x86-64-v4")
"""The instruction sets, oldest first, numbered as in `processor.h`."""


class UnknownInstructionsError(ValueError):
    """ENUMERATOR_INSTRUCTIONS names an instruction set that this processor does not have."""


def choose(newest: int) -> int:
    """Return the number of the instruction set to use, if `newest` is the newest of this processor."""
    name, known = os.environ.get(VARIABLE), NAMES[: newest + 1]
    if not name:
        return newest
    if name not in known:
        raise UnknownInstructionsError(f"{VARIABLE}={name}: this processor has {', '.join(known)}")
    return known.index(name)
