"""What several tests are given."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import COMMAND, ROOT

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The published boards, oracles and puzzles, beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no shared/ beside the repository")
    return folder


@pytest.fixture
def command(tmp_path: Path) -> Run:
    """Runs `enumerate` in a folder of its own."""

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [COMMAND, *arguments], input=stdin, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False
        )

    return run
