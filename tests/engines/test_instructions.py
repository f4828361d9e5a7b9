"""Instruction sets: every version of a kernel that this machine can run gives the same, in the same order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import support.kernels
from support.boards import BOARDS
from support.processes import COMMAND

from enumerator.engines import kernel_build
from enumerator.engines.instructions import NAMES, VARIABLE, UnknownInstructionsError, choose


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, env={**os.environ, VARIABLE: name}, capture_output=True, text=True, timeout=60, check=False
    )


def require(name: str) -> None:
    """Skip the test if this processor does not have an instruction set."""
    done = run(name, COMMAND, "--version")
    if done.returncode:
        assert done.stderr.startswith(f"enumerate: {VARIABLE}={name}: this processor has baseline")
        pytest.skip(done.stderr.strip())
    assert f"\ninstructions: {name}\n" in done.stdout


@cache
def facts() -> dict[str, object]:
    """Return what the kernels of this process answer, as it comes back from JSON."""
    found: dict[str, object] = json.loads(json.dumps(support.kernels.facts()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_instruction_set_finds_the_same_in_the_same_order(name: str) -> None:
    require(name)
    done = run(name, sys.executable, str(Path(support.kernels.__file__)))
    assert not done.stderr
    found = json.loads(done.stdout)
    assert found.pop("instructions") == name
    assert found["wrong counts"] == []
    assert found == {key: value for key, value in facts().items() if key != "instructions"}


def test_the_baseline_runs_everywhere() -> None:
    assert run("baseline", COMMAND, "--version").returncode == 0
    assert kernel_build().instructions in NAMES


def test_the_newest_instruction_set_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, ""):
        monkeypatch.delenv(VARIABLE, raising=False)
        if value is not None:
            monkeypatch.setenv(VARIABLE, value)
        assert [choose(newest) for newest in range(len(NAMES))] == [0, 1, 2]


def test_an_instruction_set_that_the_processor_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for newest, name in enumerate(NAMES):
        monkeypatch.setenv(VARIABLE, name)
        assert [choose(number) for number in range(newest, len(NAMES))] == [newest] * (len(NAMES) - newest)
        for number in range(newest):
            with pytest.raises(UnknownInstructionsError, match=f"{VARIABLE}={name}: this processor has baseline"):
                choose(number)


def test_an_unknown_instruction_set_ends_the_command_with_one_line() -> None:
    done = run("sse9", COMMAND, str(BOARDS / "1a.txt"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"enumerate: {VARIABLE}=sse9: this processor has baseline")
    assert done.stderr.count("\n") == 1
