"""Which tests run: those that need sources or a compiler, and the slow ones of many cases."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import Any

import pytest
from support.boards import ROOT

HAS_SOURCES = (ROOT / "enumerator").is_dir()
"""False where only the tests, `bench` and `boards` lie beside an installed wheel."""

needs_sources = pytest.mark.skipif(not HAS_SOURCES, reason="no source tree: tests of a wheel")
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


def slow_after(quick: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a parametrised test, all but the first `quick` of them marked as slow."""
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*each, marks=[pytest.mark.slow] * (at >= quick)) for at, each in enumerate(values)]
