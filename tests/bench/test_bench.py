"""The commands under bench/, on small settings."""

import json
import os
import re
import shutil
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from support.boards import PUZZLE, ROOT, board_file
from support.cases import needs_compiler, slow_after
from support.counts import assert_count
from support.processes import Run, run

from bench.__main__ import COMMANDS
from bench.common.boards import our_boards
from bench.common.commands import compile_yardstick, run_yardstick
from bench.common.options import chosen_boards, positionals_first
from bench.measure import contraction, hardest
from enumerator import read
from enumerator.board import Board


def run_bench(*arguments: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "-m", "bench", *arguments], cwd=root, env={**os.environ, **environment})


def bench_output(*arguments: str, root: Path = ROOT) -> str:
    done = run_bench(*arguments, root=root)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's files that the commands need, with nothing beside it and a blank in its path."""
    copy = tmp_path_factory.mktemp("alone") / "a copy"
    for folder in ("bench", "boards", "tests/golden"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("corpora"))
    return copy


@needs_compiler
def test_walk_states_a_ratio(alone: Path) -> None:
    output = bench_output("walk", "--boards", "1b,2b", "--rounds", "2", root=alone)
    assert re.search(r"^1b +7,685 +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^2b +184 ", output, re.MULTILINE)
    assert "published" not in output


@needs_compiler
@pytest.mark.usefixtures("shared")
def test_walk_shows_the_published_yardstick_in_a_column_of_its_own() -> None:
    output = bench_output("walk", "--boards", "1b", "published/1b", "--rounds", "1")
    assert "published/yardstick s" in output
    assert re.search(r"^1b +7,685( +[\d.]+){4}$", output, re.MULTILINE)
    assert re.search(r"^published/1b +4,715( +[\d.]+){4}$", output, re.MULTILINE)


def test_without_a_compiler_walk_says_so(alone: Path, tmp_path: Path) -> None:
    done = run_bench("walk", "--boards", "1b", root=alone, PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bench: this needs a C compiler, as the command cc\n"


@needs_compiler
@pytest.mark.parametrize("name", slow_after(1, ["2c", "1a", "1c"]))
def test_the_yardstick_visits_every_solution(tmp_path: Path, name: str) -> None:
    solutions, seconds = run_yardstick(compile_yardstick(tmp_path), Path(board_file(name)))
    assert_count(read(board_file(name)), solutions)
    assert seconds >= 0


@needs_compiler
@pytest.mark.parametrize("text", ["." * 80, "11" + "." * 79])
def test_the_yardstick_refuses_what_is_no_board(tmp_path: Path, text: str) -> None:
    (tmp_path / "board.txt").write_text(text)
    program = compile_yardstick(tmp_path)
    done = run([program, tmp_path / "board.txt"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{tmp_path / 'board.txt'}: not a 9x9 board\n"


@pytest.mark.slow
def test_contraction_counts_known_and_random_boards(alone: Path) -> None:
    small = ["--boards", "1b,2b", "--clues", "2", "--random", "1", "--rounds", "1"]
    output = bench_output("contraction", "oracles", "boards", "random", *small, root=alone)
    assert re.search(r"^oracles: 62 counts, all exact, [\d.]+ s on one core$", output, re.MULTILINE)
    assert re.search(r"^1b +7,685( +[\d.]+){2,4}$", output, re.MULTILINE)
    assert re.search(r"^0 +1( +[\d.]+){3}   6,670,903,752,021,072,936,960$", output, re.MULTILINE)
    assert re.search(r"^all +3( +[\d.]+){3}$", output, re.MULTILINE)


@pytest.mark.slow
def test_candidates_are_a_multiple_of_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hardest board takes half a minute, and those of few clues a second each: others stand for them."""
    monkeypatch.setattr(contraction, "HARDEST", str(read(board_file("1b"))))
    monkeypatch.setattr(contraction, "SYMMETRIC_CLUES", 25)
    contraction.measure_candidates(Namespace(seed=1, candidates=4, clues=27, rounds=1))
    output = capsys.readouterr().out
    assert re.search(r"^the hardest known +1( +[\d.]+){4}$", output, re.MULTILINE)
    assert re.findall(r"^random, (\d+ to \d+) clues +(\d+)(?: +[\d.]+){4}$", output, re.MULTILINE) == [
        ("0 to 25", "2"),
        ("26 to 27", "2"),
    ]
    judged = r"^(?:meets |misses)  at most [\d.]+ times its count .*; wanted: (\d)$"
    assert re.findall(judged, output, re.MULTILINE) == ["8", "6", "6"]


@pytest.mark.slow
def test_hardest_climbs_to_costlier_boards(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A climb that is given more boards ends at a board that costs as much or more, and is repeated by its seed."""
    monkeypatch.setattr(hardest, "HARDEST", str(read(board_file("1d"))))
    products = [hardest.climb_all(tries, patience=100, seed=3)[0].products for tries in (1, 20)]
    assert products == sorted(products)
    assert 0 < products[0] < products[-1]
    hardest.run(Namespace(tries=20, patience=100, shown=2, counted=1, seed=3))
    output = capsys.readouterr().out.splitlines()
    assert output[0] == "20 boards, 1 climbs, seed 3"
    cost, clues, climbs, _, board = output[3].split()
    assert (cost, climbs) == (f"{products[-1]:.3g}", "1")
    assert len(board) - board.count(".") == int(clues)
    assert hardest.predicted_products(Board.parse(board)) == products[-1]


@pytest.mark.slow
def test_puzzles_states_a_rate(tmp_path: Path, alone: Path) -> None:
    (tmp_path / "some.txt").write_text(f"{PUZZLE}\n{PUZZLE}\n{'.' * 81}\n")
    output = bench_output(
        "puzzles", "--boards", str(tmp_path / "some.txt"), "--puzzles", "6", "--rounds", "1", root=alone
    )
    assert re.search(r"^some +6 +4 +2 +[\d,]+ +[\d,]+ +[\d.]+ +[\d,]+$", output, re.MULTILINE)


@pytest.mark.slow
def test_puzzles_classifies_our_lists(alone: Path) -> None:
    output = bench_output("puzzles", "--puzzles", "1", "--rounds", "1", root=alone)
    assert re.findall(r"^([a-z]+) +([\d,]+) +([\d,]+) +([\d,]+) ", output, re.MULTILINE) == [
        ("minimal", "4,000", "4,000", "0"),
        ("multiple", "4,000", "0", "4,000"),
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_puzzles_classifies_published_lists_in_addition() -> None:
    output = bench_output("puzzles", "--boards", "minimal,published/magictour", "--puzzles", "1", "--rounds", "1")
    assert re.findall(r"^([a-z/]+) +[\d,]+ +[\d,]+ ", output, re.MULTILINE) == ["minimal", "published/magictour"]


@pytest.mark.slow
def test_library_states_rates_and_ratios(tmp_path: Path, alone: Path) -> None:
    (tmp_path / "some.txt").write_text(f"{PUZZLE}\n" * 3)
    few = ["--boards", str(tmp_path / "some.txt"), "--puzzles", "30000", "--rounds", "1"]
    output = bench_output("library", "command", "python", "map", *few, root=alone)
    for form in ("--classify", "--quiet", "--json", "--list"):
        assert re.search(rf"^{form} +-?[\d,]+ +-?[\d.]+ +× -?[\d.]+ +\d+ ms$", output, re.MULTILINE)
    assert re.search(r"^count_all +[\d,]+ +× [\d.]+$", output, re.MULTILINE)
    assert re.search(r"^some: one at a time, Board\(line\) [\d.]+ µs, count\(board\) [\d.]+ µs", output, re.MULTILINE)
    assert re.search(r"^import joblib \d+ ms; a task of its threads \d+ µs, of ours \d+ µs$", output, re.MULTILINE)


@pytest.mark.slow
def test_solutions_are_listed_drawn_and_counted_cell_by_cell(alone: Path) -> None:
    output = bench_output("solutions", "--boards", "1b", "--samples", "10", "--rounds", "1", root=alone)
    assert re.search(r"^1b --list > /dev/null: 7,685 solutions$", output, re.MULTILINE)
    assert re.search(r"^    --cores 2 +[\d.]+ s +[\d.]+ million a second, [\d,]+ MB/s$", output, re.MULTILINE)
    assert re.search(r"^    peak memory \d+ MB$", output, re.MULTILINE)
    assert re.search(
        r"^1c, sorted, both engines, 1, 2 and 3 cores: all the same: SHA-256 \w{64}$", output, re.MULTILINE
    )
    assert re.search(r"^the 10\^21-th solution of the empty board: [\d.]+ s$", output, re.MULTILINE)
    assert re.search(r"^10 samples of the empty board, --cores 1: [\d.]+ s$", output, re.MULTILINE)
    ratio = r"[\d.]+ s, [\d.]+ times its count of [\d.]+ s$"
    assert re.search(rf"^candidates of 1b, --cores 2: {ratio}", output, re.MULTILINE)
    assert re.search(rf"^candidates of the empty board, --cores 1: {ratio}", output, re.MULTILINE)


@pytest.mark.slow
def test_ledger_states_costs_of_counts_and_lists(alone: Path) -> None:
    output = bench_output("ledger", "--boards", "1b", "--rounds", "1", root=alone)
    assert re.search(r"^1b +search +count( +[\d.]+){4} +[\d.]+%( +[\d.]+){2}$", output, re.MULTILINE)
    assert re.search(r"^1b +contraction +list( +[\d.]+){4}$", output, re.MULTILINE)


@pytest.mark.slow
def test_cluster_states_a_ratio(alone: Path) -> None:
    output = bench_output("cluster", "--boards", "1b", "--rounds", "1", "--kills", "0", root=alone)
    assert re.search(r"^1b +dask +[\d.]+ s$", output, re.MULTILINE)
    assert re.search(r"^1b +7,685 solutions; least time of dask over that of loky: [\d.]+$", output, re.MULTILINE)


@pytest.mark.slow
def test_estimates_hold_the_truth(alone: Path) -> None:
    output = bench_output("estimates", "--seeds", "5", "--probes", "64", "--only", "25x25 without 3", root=alone)
    assert re.search(r"^board +solutions +said +held +nodes +width +s/estimate$", output, re.MULTILINE)
    assert re.search(r"^25x25 without 3 rows +44,300 +1\.00 +(80|100)\.0% +\S+% +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert "25-1" not in output


@pytest.mark.slow
def test_startup_states_milliseconds_and_memory(alone: Path) -> None:
    output = bench_output("startup", "--rounds", "1", root=alone)
    assert re.search(r"^enumerate boards/1a.txt +[\d.]+ +-?[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^peak memory of a count \(boards/1d.txt\): [\d.]+ MB$", output, re.MULTILINE)


@pytest.mark.slow
def test_parallel_states_ratios_balance_and_overhead(alone: Path) -> None:
    output = bench_output("parallel", "short", "balance", "overhead", "--boards", "1b", "--rounds", "1", root=alone)
    assert re.search(r"^1b +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^1b( +[\d.]+%){4}$", output, re.MULTILINE)
    assert re.search(r"^1b +[\d.]+ +[\d.]+ +-?[\d.]+%$", output, re.MULTILINE)


@pytest.mark.slow
def test_parallel_states_the_cost_of_a_trace(alone: Path) -> None:
    output = bench_output("parallel", "trace", "--boards", "1c", "--rounds", "1", "--cores", "2", root=alone)
    assert re.search(r"^1c +[\d.]+ +[\d.]+ +-?[\d.]+% +[\d.]+ +[\d.]+% +[\d.]+ +[\d.]+$", output, re.MULTILINE)


@pytest.mark.slow
def test_parallel_measures_batches(alone: Path) -> None:
    output = bench_output("parallel", "batch", "--puzzles", "20", "--rounds", "1", root=alone)
    assert re.search(r"^minimal --quiet +20 +[\d.]+ +[\d.]+ +[\d.]+ +\d+$", output, re.MULTILINE)


OF_A_STUDY = {
    "speedup": ["--boards", "4x4-many", "--engine", "search", "--iterations", "1", "--cores", "1"],
    "cutoff": ["--boards", "1a", "--iterations", "1", "--parts", "1"],
    "tasks": ["--boards", "4x4-many", "--largest", "100", "--rounds", "1"],
    "timeline": ["--boards", "4x4-many", "--cores", "2"],
    "tree": ["--boards", "1b"],
    "scaling": ["--grids", "1", "--limit", "1", "--clues", "40"],
    "peers": ["--boards", "1a", "--iterations", "1", "--limit", "1", "--programs", "enumerator", "plain Python"],
    "large": ["ours", "--boards", "6x6-unique", "--programs", "learning", "--iterations", "1", "--cores", "1"],
    "regret": ["--boards", "16x16-unique", "--rearrangements", "0", "--limit", "5"],
    "simulate": ["--cores", "1,2"],
    "groups": ["--cores", "4", "--sizes", "2", "--board", "4x4-many"],
    "correlation": [],
    "lesson": ["--names", "1b", "2b", "--rounds", "1", "--parts", "1"],
    "report": [],
}
"""Commands with --results, and arguments with which they take a second or two."""

MADE_BY = {"simulate": ["tasks"], "groups": ["tasks"], "report": ["scaling"]}
"""The commands that make the tables that others read."""

OTHERS = {
    "boards": ["--only", "1a", "--folder", "{}/boards"],
    "large-boards": ["16x16-b", "--folder", "{}/large boards"],
    "minimal": ["--count", "1", "--folder", "{}/lists"],
    "drawing": ["--output", "{}/drawing.svg"],
    "shell": ["--output", "{}"],
    "clues": ["puzzles", "--puzzles", "1", "--rounds", "1", "--cores", "1"],
    "generate": ["minimal", "--puzzles", "20", "--rounds", "1", "--cores", "1"],
    "canonical": [
        "--boards",
        "minimal",
        "--grids",
        "9",
        "--images",
        "1",
        "--rounds",
        "1",
        "--empty",
        "2x2",
        "--classes",
        "9",
    ],
    "hardest": ["--tries", "3", "--counted", "0"],
    "soak": ["--seconds", "0", "--only", "nothing", "--record", "{}/soak.csv"],
    "fuzz": ["boards", "boards/1a.txt"],
    "sanitize": ["--help"],  # builds for minutes, in a temporary folder
    "page-picture": ["--help"],  # needs Chromium
}

IN_OTHER_TESTS = {"study", "walk", "contraction", "puzzles", "solutions", "startup"}
IN_OTHER_TESTS |= {"library", "parallel", "ledger", "cluster", "estimates"}
"""Commands that other tests run in a folder with a blank in its path."""


def test_every_command_is_tried_in_a_folder_with_a_blank() -> None:
    assert {command.name for command in COMMANDS} == {*OF_A_STUDY, *OTHERS, *IN_OTHER_TESTS}


ONE_BY_ONE = """
import json, sys
from bench.__main__ import main
for arguments in json.load(sys.stdin):
    sys.argv = ["bench", *arguments]
    try:
        status = main()
    except SystemExit as end:
        status = end.code
    if status:
        sys.exit(f"{status} by {arguments}")
"""


@pytest.mark.long
@pytest.mark.slow
def test_a_command_works_in_a_folder_with_a_blank(alone: Path, tmp_path: Path) -> None:
    """All commands in one process: most of the time of each is its imports."""
    lines = []
    made = {name for names in MADE_BY.values() for name in names}
    for name in [name for name in (*OF_A_STUDY, *OTHERS) if name not in made]:
        folder = tmp_path / name / "my results"
        folder.mkdir(parents=True)
        if name == "correlation":  # it reads tables
            for path in (ROOT / "results").glob("s*.csv"):
                shutil.copy(path, folder)
        for command in (*MADE_BY.get(name, ()), name):
            arguments = [*OF_A_STUDY[command], "--results", "{}"] if command in OF_A_STUDY else OTHERS[command]
            lines.append([command, *(argument.format(folder) for argument in arguments)])
    done = run([sys.executable, "-c", ONE_BY_ONE], cwd=alone, stdin=json.dumps(lines), timeout=240)
    assert done.returncode == 0, done.stderr


def test_boards_are_named_by_patterns_lists_and_paths_with_blanks(tmp_path: Path) -> None:
    path = tmp_path / "my, own" / "a board.txt"
    path.parent.mkdir()
    path.write_text(PUZZLE)
    assert [*chosen_boards(["1[cd]"])] == ["1c", "1d"]
    assert [*chosen_boards(["1[cd],2a", "1a 6x6-*"])] == ["1c", "1d", "2a", "1a", "6x6-many", "6x6-unique"]
    assert [*chosen_boards(["*"])] == [*our_boards("*")]
    assert chosen_boards([str(path), "large/16x16-a"]) == {
        "a board": path,
        "large/16x16-a": ROOT / "boards" / "large" / "16x16-a.txt",
    }


@pytest.mark.parametrize(
    ("arguments", "ordered"),
    [
        ("--boards 1c FOLDER", "FOLDER --boards 1c"),
        ("--quick --boards 1c 1[de] my/folder --cores 2", "my/folder --quick --boards 1c 1[de] --cores 2"),
        ("--boards 1c,1d boards/1e.txt out", "out --boards 1c,1d boards/1e.txt"),
        ("FOLDER --boards 1c", "FOLDER --boards 1c"),
        ("--boards FOLDER", "--boards FOLDER"),  # there must be a board
        ("--boards 1c 9z absent.txt 3x3-slip", "--boards 1c 9z absent.txt 3x3-slip"),  # slips are not folders
        ("--boards minimal command --rounds 5", "command --boards minimal --rounds 5"),
    ],
)
def test_what_is_no_board_belongs_to_the_command(monkeypatch: pytest.MonkeyPatch, arguments: str, ordered: str) -> None:
    monkeypatch.chdir(ROOT)
    assert positionals_first(arguments.split(" ")) == ordered.split(" ")


MISTAKES = {
    "study --boards 1c 9z": "9z is neither a name nor a file",
    "speedup --boards 1c FOLDER": "FOLDER is neither a name nor a file",
    "speedup --boards 9[cd]": "9[cd] is neither a name nor a file",
    "walk --rounds 0": "--rounds must be at least 1, not 0",
    "walk --rounds many": "--rounds must be a whole number, not 'many'",
    "walk --boards 9z": "9z is neither a name nor a file",
    "walk --boards ,": "no board is named",
    "walk --boards 4x4-many": "4x4-many is a 2x2 board; this takes 3x3 boards only",
    "walk --boards published/1b": "published/1b is neither a name nor a file",
    "walk --boards tests/golden/empty.tsv": "empty.tsv is not a board: ",
    "contraction nothing": "no such part: nothing",
    "contraction --random 0": "--random must be at least 1, not 0",
    "contraction boards --boards 25x25-many": "25x25-many is a 5x5 board; this takes 3x3 boards only",
    "parallel balance --boards shared/1f": "shared/1f is neither a name nor a file",
    "parallel --puzzles 0": "--puzzles must be at least 10, not 0",
    "solutions hashes --boards 9z": "9z is neither a name nor a file",
    "solutions --samples 0": "--samples must be at least 1, not 0",
    "ledger --boards 9z": "9z is neither a name nor a file",
    "cluster --boards 9z": "9z is neither a name nor a file",
    "cluster --kills -1": "--kills must be at least 0, not -1",
    "puzzles --boards 9z": "9z is neither a name nor a file",
    "puzzles --boards ,": "no list of puzzles is named",
    "puzzles --program solver": "--program takes NAME=PATH, not 'solver'",
    "puzzles --program it=/nowhere": "/nowhere is not a program",
    "puzzles --program it=/bin/sh --program it=/bin/ls": "two programs are called it",
    "peers --program clock=/nowhere": "/nowhere is not a program",
    "startup --rounds 0": "--rounds must be at least 1, not 0",
    "minimal --count 0": "--count must be at least 1, not 0",
}


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_ends_a_command_with_one_sentence(alone: Path, ask_bench: Run, command: str) -> None:
    arguments = command.split(" ")
    done = run_bench(*arguments, root=alone) if "published" in command else ask_bench(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bench: {MISTAKES[command]}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["walk", "--help"], ["--help"]])
def test_an_unknown_instruction_set_ends_a_command_with_one_sentence(arguments: list[str]) -> None:
    done = run_bench(*arguments, ENUMERATOR_INSTRUCTIONS="sse9")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"bench: ENUMERATOR_INSTRUCTIONS=sse9: this processor has baseline.*\n", done.stderr)


def test_two_files_of_the_same_name_are_refused(alone: Path, tmp_path: Path) -> None:
    shutil.copy(alone / "boards" / "1b.txt", tmp_path / "1a.txt")
    done = run_bench("walk", "--boards", "1a", str(tmp_path / "1a.txt"), root=alone)
    assert (done.returncode, done.stdout) == (2, "")
    assert "have the same name" in done.stderr
