"""--minimal and --generate as commands: lines, grids, facts, files, mistakes, ends."""

from __future__ import annotations

import json
import os
import signal
from csv import DictReader
from pathlib import Path

import pytest
from support.lateness import Stopwatch
from support.plain_solver import is_minimal, is_unique
from support.processes import Run, seconds_of_work, started, wait_for

import enumerator
from enumerator.board import Board

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

GRID, OTHER = "1234341221434321", "1234341223414123"


def lines(text: str) -> list[Board]:
    return [Board(line) for line in text.splitlines()]


def test_one_minimal_puzzle_of_each_board(ask: Run) -> None:
    done = ask("--minimal", "--", GRID, OTHER)
    assert done.returncode == 0
    for puzzle, grid in zip(lines(done.stdout), (GRID, OTHER), strict=True):
        assert is_minimal(puzzle.cells, 2, 2)
        assert enumerator.solve(puzzle) == Board(grid)


def test_all_minimal_puzzles_are_streamed_and_their_number_is_known(ask: Run) -> None:
    done = ask(GRID, OTHER, "--minimal", "all")
    assert len(set(done.stdout.splitlines())) == 284 + 304
    numbers = ["enumerate: <argument 1>: 284 minimal puzzles", "enumerate: <argument 2>: 304 minimal puzzles"]
    assert done.stderr.splitlines() == numbers
    assert ask(GRID, OTHER, "--minimal", "all", "--quiet").stdout == "284\n304\n"
    assert {str(puzzle) for puzzle in enumerator.minimal(GRID, None)} == set(done.stdout.splitlines()[:284])


@pytest.mark.slow
def test_the_command_and_python_give_the_same_puzzles(ask: Run) -> None:
    asked = ask("--generate", "5", "--with-clues", "26-28", "--symmetry", "180", "--seed", "1", "--cores", "2")
    assert lines(asked.stdout) == list(enumerator.generate(5, clues=(26, 28), symmetry="180", seed=1))
    assert lines(ask(GRID, "--minimal", "5", "--seed", "1").stdout) == list(enumerator.minimal(GRID, 5, 1))


@pytest.mark.slow
def test_facts_of_puzzles(ask: Run) -> None:
    options = ("--generate", "3", "--weights", "--shape", "2x3", "--seed", "2")
    facts = [json.loads(line) for line in ask(*options, "--json").stdout.splitlines()]
    pairs = list(enumerator.generate(3, shape="2x3", weights=True, seed=2))
    assert [(Board(fact["board"], "2x3"), fact["weight"]) for fact in facts] == pairs
    assert [fact["number"] for fact in facts] == [0, 1, 2]
    assert {(fact["shape"], fact["seed"], fact["source"]) for fact in facts} == {("2x3", 2, "<generated>")}
    assert [fact["clues"] for fact in facts] == [36 - board.empty_cells for board, _ in pairs]
    rows = list(DictReader(ask(*options, "--csv").stdout.splitlines()))
    assert [{name: str(facts[at][name]) for name in facts[at]} for at in range(3)] == [
        {name: value for name, value in row.items() if name not in ("level", "error")} for row in rows
    ]
    beside = [line.split() for line in ask(*options).stdout.splitlines()]
    assert [board for board, _ in beside] == [str(board) for board, _ in pairs]
    assert [float(weight) for _, weight in beside] == pytest.approx([weight for _, weight in pairs], rel=1e-5)


def test_a_seed_that_was_drawn_is_printed_and_repeats_the_puzzles(ask: Run) -> None:
    drawn = json.loads(ask("--generate", "--json", "--level", "singles", "--shape", "2x2").stdout)
    assert drawn["level"] == "singles"
    again = ask("--generate", "--level", "singles", "--shape", "2x2", "--seed", str(drawn["seed"]))
    assert again.stdout.strip() == drawn["board"]


def test_grids_are_read_again(ask: Run, tmp_path: Path) -> None:
    drawn = ask("--generate", "12", "--shape", "2x2", "--grids", "--seed", "3", "--output", "puzzles.txt")
    assert (drawn.returncode, drawn.stdout) == (0, "")
    boards = [str(board) for board in enumerator.read_all(tmp_path / "puzzles.txt")]
    assert "\n".join(boards) + "\n" == ask("--generate", "12", "--shape", "2x2", "--seed", "3").stdout
    assert "+---" in ask("--generate", "--grids", "--ascii").stdout


def test_grids_have_their_weights_above(ask: Run, tmp_path: Path) -> None:
    options = ("--generate", "12", "--weights", "--shape", "2x2", "--seed", "5")
    done = ask(*options, "--grids", "--output", "puzzles.txt")
    assert (done.returncode, done.stderr) == (0, "")
    headings = [line for line in (tmp_path / "puzzles.txt").read_text().splitlines() if line.startswith("#")]
    beside = [line.split() for line in ask(*options).stdout.splitlines()]
    assert headings == [f"#{number}, weight {weight}" for number, (_, weight) in enumerate(beside)]
    assert [str(board) for board in enumerator.read_all(tmp_path / "puzzles.txt")] == [board for board, _ in beside]


def test_pictures_of_one_puzzle(ask: Run, tmp_path: Path) -> None:
    assert ask("--generate", "--seed", "4", "--svg", "one.svg", "--html", "one.html").returncode == 0
    assert (tmp_path / "one.svg").read_text().startswith("<svg")
    assert ask(GRID, "--minimal", "--svg", "two.svg").returncode == 0
    assert (tmp_path / "two.svg").exists()


def test_puzzles_of_the_solution_of_a_board(ask: Run) -> None:
    done = ask("1.....2..3.....4", OTHER, "--generate", "2", "--with-clues", "8", "--seed", "5")
    solutions = [str(enumerator.solve(puzzle)) for puzzle in lines(done.stdout)]
    assert solutions == [str(enumerator.solve("1.....2..3.....4"))] * 2 + [OTHER] * 2


def test_a_pattern_is_a_text_or_a_file(ask: Run, tmp_path: Path) -> None:
    pattern = "1..1 .1.. ..1. 1..1".replace(" ", "")
    (tmp_path / "pattern.txt").write_text(f"{pattern}\n")
    by_text = ask("--generate", "3", "--pattern", pattern, "--seed", "6")
    assert by_text.stdout == ask("--generate", "3", "--pattern", "pattern.txt", "--seed", "6").stdout
    for puzzle in lines(by_text.stdout):
        assert is_unique(puzzle.cells, 2, 2)
        assert [bool(digit) for digit in puzzle.cells] == [sign == "1" for sign in pattern]


def test_a_pattern_is_read_once(ask: Run) -> None:
    pattern = "1.....2..3.....4"
    expected = ask("--generate", "--pattern", pattern, "--seed", "1")
    piped = ask("--generate", "--pattern", "-", "--seed", "1", stdin=f"{pattern}\n")
    assert (piped.returncode, piped.stdout, piped.stderr) == (0, expected.stdout, "")


SEVERAL, NONE, UNREADABLE = "12..............", "11..............", "12X............."


def test_boards_without_one_solution_have_their_line(ask: Run) -> None:
    boards = "\n".join([SEVERAL, GRID, NONE, UNREADABLE, ""])
    done = ask("-", "--minimal", "all", "--quiet", stdin=boards)
    assert (done.returncode, done.stdout) == (2, "multiple\n284\nnone\ninvalid\n")
    for question in (["--minimal"], ["--generate", "--with-clues", "5"]):
        done = ask("-", *question, "--json", stdin=boards)
        facts = [json.loads(line) for line in done.stdout.splitlines()]
        assert [fact.get("verdict") for fact in facts] == ["multiple", None, "none", "invalid"]
        assert [fact.get("board") for fact in (facts[0], facts[2])] == [SEVERAL, NONE]
        rows = list(DictReader(ask("-", *question, "--csv", stdin=boards).stdout.splitlines()))
        assert [row["board"] for row in rows if row["error"]] == [SEVERAL, NONE, ""]
        assert [row["source"] for row in rows] == ["<stdin>:1", "<stdin>:2", "<stdin>:3", "<stdin>:4"]


def test_objects_of_refused_boards_go_to_the_file(ask: Run, tmp_path: Path) -> None:
    assert ask(SEVERAL, GRID, "--minimal", "--json", "--output", "puzzles.json").stdout == ""
    facts = [json.loads(line) for line in (tmp_path / "puzzles.json").read_text().splitlines()]
    assert [fact.get("verdict") for fact in facts] == ["multiple", None]


def test_a_board_that_no_minimal_puzzle_is_found_for_is_unsupported(ask: Run) -> None:
    done = ask("." * 256, "--minimal", "all", "--quiet")
    assert (done.returncode, done.stdout) == (2, "unsupported\n")


def test_what_was_found_in_time_is_printed(ask: Run) -> None:
    done = ask("--generate", "2", "--with-clues", "17", "--time-limit", "0.1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "enumerate: <generated>: the time is up; 0 puzzles of 2 written, not all"
        " (the fewer clues, the rarer the puzzles)\n"
    )
    rare = ask("--generate", "--with-clues", "35", "--superfluous", "0", "--time-limit", "0.1")
    assert rare.stderr.endswith("not all (the more clues, the more of them are superfluous)\n")
    grid = str(enumerator.sample("." * 81, 1, seed=7)[0])
    done = ask(grid, "--minimal", "all", "--time-limit", "0.1", "--quiet")
    assert done.returncode == 1
    assert done.stdout.endswith("+\n")
    assert "the time is up" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_ends_it_with_the_number_of_puzzles(ask: Run) -> None:
    done = ask("--generate", "2", "--shape", "2x2", "--output", "/dev/full")
    assert (done.returncode, done.stderr) == (1, "enumerate: /dev/full: No space left on device; 0 puzzles written\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--generate", "x.txt"], "name boards before --generate"),
        (["--generate", "0"], "name boards before --generate"),
        (["--minimal", GRID + "x"], "name boards before --minimal"),
        (["--generate", "--with-clues", "many"], "range such as 24-28"),
        (["--generate", "--with-clues", "17", "--symmetry", "90", "--shape", "2x2"], "16 cells cannot have 17 clues"),
        (["--generate", "--with-clues", "26", "--symmetry", "90"], "no pattern"),
        (["--generate", "--with-clues", "7"], "with 7 clues, two digits are missing"),
        (["--generate", "--with-clues", "1", "--shape", "2x2"], "with 1 clue, two digits are missing"),
        (["--generate", "--with-clues", "3", "--shape", "2x2"], "no 4×4 puzzle with 3 clues has one solution"),
        (["--generate", "--with-clues", "8-16"], "no 9×9 puzzle with 16 clues has one solution: 17 are the fewest"),
        (["--generate", "--shape", "6x6"], "puzzles are made up to 25×25, and not for a 36×36 board"),
        (["--generate", "--shape", "2x2", "--level", "pairs"], "singles solve every puzzle of a 4×4 board"),
        (["--generate", "--pattern", "." * 81], "two digits are missing"),
        (["--generate", "--pattern", "none.txt"], "--pattern: "),
        (["--generate", "--weights", "--with-clues", "30"], "weights are for minimal puzzles"),
        (["--generate", "2", "--svg", "a.svg"], "--generate 1"),
        (["--generate", "--csv", "--output", "a.csv"], "--output takes lines"),
        (["--generate", "--quiet"], "--quiet does not go with --generate"),
        ([GRID, "--minimal", "--quiet"], "--minimal all"),
        ([GRID, "--minimal", "all", "--seed", "1"], "nothing random"),
        ([GRID, "--minimal", "2", "--html", "a.html"], "--minimal 1"),
        ([GRID, "--level", "singles"], "--level goes with --generate"),
        ([GRID, "--minimal", "--weights"], "--weights does not go with --minimal"),
        (["." * 16, "--minimal"], "<argument>: the board has several solutions"),
        (["." * 16, "--generate"], "<argument>: the board has several solutions"),
        ([GRID, "--generate", "--pattern", "none.txt"], "--pattern does not go with boards"),
        ([GRID, "--generate", "--weights"], "weights are for minimal puzzles"),
    ],
)
def test_mistakes_end_with_status_2_and_a_sentence(ask: Run, arguments: list[str], message: str) -> None:
    done = ask(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_an_interrupt_ends_it_with_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    with started("--generate", "100_000_000", "--output", str(path)) as process:
        assert wait_for(lambda: path.exists() and path.stat().st_size > 82 * 1_000)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert (process.returncode, output) == (130, "")
    written = path.read_text().splitlines()
    assert errors == f"enumerate: interrupted: <generated>: {len(written):,} puzzles of 100,000,000 written\n"
    assert enumerator.classify(written[-1]) == "unique"


@pytest.mark.slow
def test_an_interrupt_is_heard_while_a_large_puzzle_is_made() -> None:
    with started("--generate", "9", "--shape", "5x5", "--cores", "2") as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 0.8)
        with Stopwatch() as watch:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
        assert watch.seconds < 3
    assert process.returncode == 130
    assert "interrupted: <generated>: " in errors
