"""The README's commands and transcripts, as far as they can be held to their word."""

import re
import subprocess

import pytest
from helpers import COMMAND, ROOT

README = (ROOT / "README.md").read_text()
FIRST, SECOND = "pip install . && enumerate boards/1c.txt --cores 16", "pip install '.[test]' && pytest"


def test_ci_runs_the_second_of_the_two_commands() -> None:
    assert f"    {FIRST}\n" in README
    assert f"    {SECOND}\n" in README
    assert f"\n{SECOND}\n" in (ROOT / ".ci" / "run").read_text()


def transcripts() -> list[tuple[str, str]]:
    """The commands shown with their output, but for those that measure and the one drawn on a terminal."""
    shown = re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", README, re.MULTILINE)
    return [
        (command, re.sub(r"^    ", "", output, flags=re.MULTILINE))
        for command, output in shown
        if not re.search("bench|dask|--estimate|--time-limit|run.db", command) and "┌" not in output
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "output"), transcripts(), ids=[command[:40] for command, _ in transcripts()])
def test_transcripts_are_true(command: str, output: str) -> None:
    done = subprocess.run(
        re.sub(r"\benumerate\b", COMMAND, command),
        shell=True,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    assert without_times(done.stdout) == without_times(output)


def without_times(text: str) -> str:
    """Without what depends on the machine: how fast it is, how many cores it has, how many tasks they shared."""
    text = re.sub(r'(time +|"seconds": |agrees, )[\d.e-]+', r"\1…", text)
    return re.sub(r"\b\d+ cores?(, [\d,]+ nodes?)?(, [\d,]+ tasks?)?", r"… cores\1", text)


def test_figures_in_the_python_example_are_true() -> None:
    assert "en.count(board)                             # 134037" in README
    done = subprocess.run([COMMAND, "boards/1c.txt", "--quiet"], cwd=ROOT, capture_output=True, timeout=20, check=True)
    assert done.stdout == b"134037\n"
