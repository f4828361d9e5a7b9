"""The help, the manual page and the completions: made from the parser, and of use in real shells."""

from __future__ import annotations

import os
import pty
import re
import shutil
import tomllib
from pathlib import Path
from select import select
from shlex import quote
from time import monotonic

import pytest
from support.boards import ROOT
from support.cases import needs_sources, slow_after
from support.in_process import shown_by
from support.processes import COMMAND, Run, assert_mistake, launched, run

from bench.make import shell
from enumerator.command.options import COMPLETIONS, EXAMPLES, make_parser

NAMES = ("enumerate", "enumerator")
"""The names of the command."""

FLAGS = sorted(flag for action in make_parser()._actions for flag in action.option_strings)  # noqa: SLF001
"""All options of the command."""


def run_in(folder: Path, line: list[str], **variables: str) -> str:
    """Run a program in a folder and with the command in reach; return its output."""
    path = f"{Path(COMMAND).parent}:{os.environ['PATH']}"
    done = run(line, cwd=folder, env={**os.environ, "PATH": path, **variables})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# ------------------------------------------------------------------------------------------------ examples


def examples() -> list[str]:
    """Return the examples of --help, without their explanations."""
    lines = re.findall(r"^  (\S.*)$", EXAMPLES.partition("\n\n")[0], re.MULTILINE)
    return [re.split(r" {2,}", line)[0] for line in lines]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the boards of the repository, in which the examples run one after the other."""
    path = tmp_path_factory.mktemp("examples")
    (path / "boards").symlink_to(ROOT / "boards")
    return path


@pytest.mark.slow
def test_the_examples_of_the_help_can_be_copied_and_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert len(examples()) > 10
    for line in examples():
        assert "enumerate" in line
        quicker = line.replace("--time-limit 3", "--time-limit 0.3").replace("boards/2e.txt", "boards/1d.txt")
        output = shown_by(quicker)
        assert bool(output) != ("--output" in line), line
        assert "enumerate: " not in output, line


def test_the_help_shows_the_examples_and_the_exit_status() -> None:
    text = make_parser().format_help()
    assert all(f"\n  {line}" in text for line in examples())
    assert "exit status: 0 answered" in text


# --------------------------------------------------------------------------------------------------- files


@needs_sources
def test_completions_and_manual_are_those_of_the_parser() -> None:
    if lacking := shell.other_versions():
        pytest.skip(f"not installed: {', '.join(lacking)}")
    for name, text in shell.make_files().items():
        assert (shell.FOLDER / name).read_text() == text, "make them again: python -m bench shell"


@needs_sources
def test_every_option_is_in_every_file() -> None:
    for name in (*COMPLETIONS.values(), shell.MANUAL):
        text = (shell.FOLDER / name).read_text().replace("\\-", "-")
        for flag in set(FLAGS) - {"-h", "--help"}:
            in_fish = f"-l {flag[2:]} " if flag.startswith("--") else f"-s {flag[1:]} "
            assert (in_fish if name.endswith(".fish") else flag) in text, (name, flag)


def test_the_package_installs_every_file() -> None:
    places = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
    installed = [path for paths in places.values() for path in paths]
    assert sorted(installed) == sorted(
        str((shell.FOLDER / name).relative_to(ROOT)) for name in (*COMPLETIONS.values(), shell.MANUAL)
    )


def test_the_package_has_two_names_for_the_command() -> None:
    """A package is run by its own name: uvx enumerator, pipx run enumerator."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert set(scripts) == {*NAMES}
    assert len(set(scripts.values())) == 1


@needs_sources
def test_the_command_prints_the_completions_of_each_shell(ask: Run) -> None:
    for name, file in COMPLETIONS.items():
        done = ask("--completion", name)
        assert (done.returncode, done.stdout, done.stderr) == (0, (shell.FOLDER / file).read_text(), "")
    assert_mistake(ask("--completion", "csh"), "--completion: invalid choice: 'csh'")


def test_short_options_are_the_long_ones() -> None:
    short = ["-c", "3", "-s", "2x3", "-q", "-o", "all.txt", "board.txt"]
    long = ["--cores", "3", "--shape", "2x3", "--quiet", "--output", "all.txt", "board.txt"]
    assert vars(make_parser().parse_args(short)) == vars(make_parser().parse_args(long))


# -------------------------------------------------------------------------------------------------- shells


def need(program: str) -> str:
    return shutil.which(program) or pytest.skip(f"no {program} here")


COMPLETE_IN_BASH = """
eval "$("$1" --completion bash)"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
$(complete -p "$1" | grep -o '_shtab[a-z_]*')
printf '%s\\n' "${COMPREPLY[@]}"
"""


@needs_sources
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--"], [flag for flag in FLAGS if flag.startswith("--")]),
        (["board.txt", "--ca"], ["--candidates", "--canonical"]),
        (["--engine", "s"], ["search"]),
        (["bo"], ["board.txt"]),
        (["--output", "bo"], ["board.txt"]),
        (["other.txt", "bo"], ["board.txt"]),
    ],
)
def test_bash_completes(tmp_path: Path, words: list[str], expected: list[str]) -> None:
    (tmp_path / "board.txt").touch()
    for name in NAMES:
        line = [need("bash"), "-c", COMPLETE_IN_BASH, "bash", COMMAND, name, *words]
        assert sorted(run_in(tmp_path, line).split()) == expected


@needs_sources
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("--", [flag for flag in FLAGS if flag.startswith("--")]),
        ("board.txt --ca", ["--candidates", "--canonical"]),
        ("--engine s", ["search"]),
        ("bo", ["board.txt"]),
        ("--output bo", ["board.txt"]),
        ("other.txt bo", ["board.txt"]),
    ],
)
def test_fish_completes(tmp_path: Path, typed: str, expected: list[str]) -> None:
    (tmp_path / "board.txt").touch()
    for name in NAMES:
        program = f"{quote(COMMAND)} --completion fish | source; complete -C '{name} {typed}'"
        found = run_in(tmp_path, [need("fish"), "--no-config", "-c", program], HOME=str(tmp_path)).splitlines()
        assert sorted(line.split("\t")[0] for line in found) == expected


def read_until(terminal: int, text: str, seconds: float = 60) -> bool:
    """Return True if a text appears on a terminal."""
    shown, deadline = "", monotonic() + seconds
    while text not in shown and monotonic() < deadline:
        if select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return text in shown


@needs_sources
@pytest.mark.parametrize(
    ("typed", "expected"),
    slow_after(
        1,
        [
            ("board.txt --cand", "--candidates "),
            ("--engine s", "--engine search "),
            ("bo", "board.txt "),
            ("other.txt bo", "other.txt board.txt "),
            ("--output bo", "--output board.txt "),
        ],
    ),
)
def test_zsh_completes(tmp_path: Path, typed: str, expected: str) -> None:
    (tmp_path / "board.txt").touch()
    zsh, (leader, follower) = need("zsh"), pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "HOME": str(tmp_path), "ZDOTDIR": str(tmp_path)}
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    with launched([zsh, "-f", "-i"], cwd=tmp_path, env=environment, **streams):
        os.close(follower)
        try:
            load = (
                f'autoload -Uz compinit; compinit -u -D; eval "$({quote(COMMAND)} --completion zsh)"; print LOA""DED\n'
            )
            os.write(leader, load.encode())
            assert read_until(leader, "LOADED")
            for name in NAMES:
                os.write(leader, f"{name} {typed}\t".encode())
                assert read_until(leader, expected)
                os.write(leader, b"\x15")  # Ctrl-U: the next line is a new one
        finally:
            os.close(leader)


@needs_sources
def test_man_shows_the_manual() -> None:
    line = [need("man"), "--warnings", "--local-file", str(shell.FOLDER / shell.MANUAL)]
    text = run_in(ROOT, line, MANWIDTH="100", LC_ALL="C.UTF-8")
    assert all(flag in text for flag in set(FLAGS) - {"-h", "--help"})
    assert "EXAMPLES" in text
    assert "exit status: 0 answered" in text
