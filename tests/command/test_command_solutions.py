"""The command where it writes solutions or candidates: lists, samples, tables, batches and mistakes."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from select import select

import pytest
from support.boards import CONTRADICTION, EMPTY, PUZZLE, ROOT, SOLVED, UNSOLVABLE, board_file, breaks_no_rule
from support.cases import slow_after
from support.processes import Run, assert_mistake, on_a_terminal, started

from enumerator import sample
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.command import arguments

COUNTS = {
    name: int(count.replace(",", ""))
    for name, count in re.findall(
        r"^\| \[(.+?)\].*?\|.*?\|.*?\|.*?\| ([\d,]+) \|", (ROOT / "boards" / "README.md").read_text(), re.MULTILINE
    )
}


# ------------------------------------------------------------------------------------------------- lists


@pytest.mark.parametrize("name", ["4x4-many", "6x6-many", "1b", "25x25-many"])
def test_a_list_holds_every_solution_once(ask: Run, name: str) -> None:
    done = ask(board_file(name), "--list")
    lines, board = done.stdout.splitlines(), read(board_file(name))
    assert (done.returncode, done.stderr) == (0, "")
    assert len(lines) == len(set(lines)) == COUNTS[name]
    assert all(breaks_no_rule(Board.parse(line, board.shape), board) for line in lines[:: 1 + len(lines) // 200])


def test_the_engines_list_the_same_solutions(ask: Run) -> None:
    walked, summed = (
        ask(board_file("1b"), "--list", "--engine", engine).stdout.splitlines() for engine in ("search", "contraction")
    )
    assert sorted(walked) == sorted(summed)
    assert len(walked) == COUNTS["1b"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "engine"), [("1c", "contraction"), ("16x16-many", "search")])
def test_a_list_is_the_same_on_any_number_of_cores(ask: Run, name: str, engine: str) -> None:
    alone, together = (
        ask(board_file(name), "--list", "--engine", engine, "--cores", str(cores)).stdout for cores in (1, 3)
    )
    assert alone.count("\n") == COUNTS[name]
    assert together == alone


def test_a_limit_gives_the_first_lines_of_the_list(ask: Run) -> None:
    every = ask(board_file("1b"), "--list").stdout.splitlines(keepends=True)
    for limit in ("1e3", "1e999"):
        some = ask(board_file("1b"), "--list", "--limit", limit)
        assert (some.stdout, some.returncode) == ("".join(every[: int(float(limit.replace("e999", "e9")))]), 0)
    large = ask("-", "--list", "--limit", "3", stdin="." * 256)
    assert [breaks_no_rule(Board.parse(line), Board.parse("." * 256)) for line in large.stdout.split()] == [True] * 3


@pytest.mark.parametrize("name", slow_after(1, ["1c", "25x25-many"]))
def test_the_nth_solution_is_a_line_of_the_list(ask: Run, name: str) -> None:
    lines = ask(board_file(name), "--list").stdout.splitlines(keepends=True)
    for place in (0, len(lines) - 1):
        assert ask(board_file(name), "--nth", str(place)).stdout == lines[place]
    beyond = ask(board_file(name), "--nth", str(len(lines)))
    line = 1 if name == "1c" else 2  # below the frame of a drawing
    assert beyond.stderr == (
        f"enumerate: {board_file(name)}:{line}: no solution {len(lines)}: "
        f"the board has {len(lines)} solutions, numbers 0 to {len(lines) - 1}\n"
    )
    assert (beyond.returncode, beyond.stdout) == (2, "")


@pytest.mark.slow
def test_any_solution_of_the_empty_board_can_be_had_by_its_number(ask: Run) -> None:
    last = COUNTS["empty"] - 1
    answers = [ask(board_file("empty"), "--nth", place, "--json") for place in ("1e21", str(last))]
    found = [json.loads(answer.stdout) for answer in answers]
    assert [answer["nth"] for answer in found] == [str(10**21), str(last)]
    assert found[0]["solution"] != found[1]["solution"]
    assert all(breaks_no_rule(Board.parse(answer["solution"]), Board.parse(EMPTY)) for answer in found)
    assert f"the board has {last + 1} solutions" in ask(board_file("empty"), "--nth", str(last + 1)).stderr


@pytest.mark.slow
def test_solutions_as_json_are_an_object_each(command: Run, tmp_path: Path) -> None:
    odd = tmp_path / 'a|b"\n%s.txt'
    odd.write_text(PUZZLE.replace("7", "."))
    plain = command(str(odd), "--list").stdout.split()
    answers = [json.loads(line) for line in command(str(odd), "--list", "--json").stdout.splitlines()]
    assert len(plain) > 1
    assert answers == [{"source": f"{odd}:1", "solution": line} for line in plain]
    sampled = [
        json.loads(line) for line in command(str(odd), "--sample", "2", "--seed", "0", "--json").stdout.split("\n")[:2]
    ]
    assert [(one["source"], one["seed"], one["solution"] in plain) for one in sampled] == [(f"{odd}:1", 0, True)] * 2


def test_grids_can_be_read_again(ask: Run) -> None:
    grids = ask(board_file("6x6-many"), "--list", "--limit", "20", "--grids").stdout
    again = ask("-", "--list", stdin=grids)
    assert again.stdout == ask(board_file("6x6-many"), "--list", "--limit", "20").stdout
    assert (again.returncode, again.stdout.count("\n")) == (0, 20)


# ----------------------------------------------------------------------------------------------- samples


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["search", "contraction"])
def test_a_sample_is_uniform(ask: Run, engine: str) -> None:
    drawn = ask(board_file("4x4-many"), "--sample", "12e3", "--seed", "1", "--engine", engine).stdout.split()
    found = Counter(drawn)
    assert set(found) == set(ask(board_file("4x4-many"), "--list").stdout.split())
    assert sum((times - 500) ** 2 / 500 for times in found.values()) < 49.7  # chi², 23 degrees of freedom: 0.1 %


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1c", "25x25-many"])
def test_the_same_seed_gives_the_same_sample_on_any_number_of_cores(ask: Run, name: str) -> None:
    samples = [ask(board_file(name), "--sample", "50", "--seed", "7", "--cores", str(cores)).stdout for cores in (1, 3)]
    assert samples[0] == samples[1]
    board = read(board_file(name))
    assert all(breaks_no_rule(Board.parse(line), board) for line in samples[0].split())
    assert ask(board_file(name), "--sample", "50", "--seed", "8").stdout != samples[0]


def test_samples_without_a_seed_differ(ask: Run) -> None:
    one, other = (ask(board_file("empty"), "--sample", "3").stdout.split() for _ in range(2))
    assert len({*one, *other}) == 6
    assert all(breaks_no_rule(Board.parse(line), Board.parse(EMPTY)) for line in one + other)


def test_there_is_no_sample_rather_than_a_biased_one(ask: Run) -> None:
    done = ask("-", "--sample", "2", "--time-limit", "0.1", stdin="." * 256)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"enumerate: <stdin>:1: its solutions cannot be counted in 0.1 s, .*\n", done.stderr)


# -------------------------------------------------------------------------------------------- candidates


def candidates_in(lines: list[str], symbols: str) -> list[list[str]]:
    """Return the number of lines with each symbol in each cell."""
    return [[str(cell.count(symbol)) for symbol in symbols] for cell in map("".join, zip(*lines, strict=True))]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "engine"), [("6x6-many", "search"), ("2b", "contraction"), ("25x25-many", "auto")])
def test_candidates_are_counted_as_in_the_list(ask: Run, name: str, engine: str) -> None:
    answer = json.loads(ask(board_file(name), "--candidates", "--json", "--engine", engine).stdout)
    lines, shape = ask(board_file(name), "--list").stdout.split(), read(board_file(name)).shape
    assert answer["solutions"] == str(COUNTS[name])
    assert answer["candidates"] == candidates_in(lines, shape.symbols)
    places = [(f"r{cell // shape.size + 1}c{cell % shape.size + 1}", cell) for cell in range(shape.cells)]
    unique = [
        (place, digit)
        for place, cell in places
        for digit in range(1, shape.size + 1)
        if answer["candidates"][cell][digit - 1] == "1"
    ]
    closest = [(clue["cell"], clue["digit"]) for clue in answer["closest_clues"] if clue["solutions"] == "1"]
    assert closest == unique


@pytest.mark.slow
def test_candidates_of_the_empty_board_are_all_alike(ask: Run) -> None:
    answer = json.loads(ask(board_file("empty"), "--candidates", "--json").stdout)
    assert answer["candidates"] == [[str(COUNTS["empty"] // 9)] * 9] * 81
    assert answer["solutions"] == str(COUNTS["empty"])


def test_candidates_are_a_table_in_a_pipe(ask: Run) -> None:
    table = ask(board_file("2b"), "--candidates", "--quiet", "--cores", "1").stdout
    head, *rows = [line.split() for line in table.splitlines()]
    assert head == list("123456789")
    assert [row[0] for row in rows] == [f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10)]
    assert [row[1:] for row in rows] == candidates_in(ask(board_file("2b"), "--list").stdout.split(), "123456789")
    text = ask(board_file("2b"), "--candidates", "--cores", "2").stdout
    assert text.endswith(f"\n\n{table}")
    assert re.search(r"^  solutions       184$", text, re.MULTILINE)
    both = ask(board_file("1a"), board_file("4x4-many"), "--candidates").stdout
    assert re.findall("^  clues +(.*)", both, re.MULTILINE)[:2] == ["unique as it is", "no single clue makes it unique"]


def test_a_terminal_shows_the_candidates_in_the_cells() -> None:
    lines = on_a_terminal(board_file("2b"), "--candidates", columns=80).splitlines()
    drawing = [line for line in lines if line[:1] in "┌│├└"]
    assert set(map(len, drawing)) == {73}
    assert len(drawing) == 9 * 3 + 6 + 4
    assert max(map(len, lines)) <= 80
    assert any(re.fullmatch(r"clues +unique with r1c8 = 3 *", line) for line in lines)


def test_a_terminal_that_cannot_draw_gets_the_table() -> None:
    shown = on_a_terminal(board_file("2b"), "--candidates", columns=50)
    assert re.search(r"^r1c1 +0 +0 +0 +0 +0 +184 +0 +0 +0$", shown, re.MULTILINE)


# ----------------------------------------------------------------------------------------------- batches


def test_one_unusable_board_does_not_keep_the_others_from_an_answer(ask: Run, tmp_path: Path) -> None:
    text = f"\ufeff{PUZZLE}\r\n{PUZZLE[:-1]}\r\n# a remark\r\n{PUZZLE}, easy\r\n{PUZZLE}x\r\n{UNSOLVABLE}\r\n{PUZZLE}"
    (tmp_path / "mixed.txt").write_bytes(text.encode())
    complaints = ["mixed.txt:2: 80 cells in a line", "mixed.txt:5: 82 cells in a line"]
    done = ask("mixed.txt", ".", board_file("4x4-unique"), "--list", "--json")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    sources = [*(f"mixed.txt:{line}" for line in (1, 2, 4, 5, 7)), "."]
    assert [answer["source"] for answer in answers[:-1]] == sources
    assert [answer.get("solution") for answer in answers[:-1]] == [SOLVED, None, SOLVED, None, SOLVED, None]
    assert {answer.get("verdict") for answer in answers if "error" in answer} == {"invalid"}
    assert len(answers[-1]["solution"]) == 16
    assert done.returncode == 2
    errors = done.stderr.splitlines()
    assert len(errors) == 3
    assert all(
        error.startswith(f"enumerate: {text}") for error, text in zip(errors, [*complaints, ".: Is"], strict=True)
    )


@pytest.mark.parametrize(("board", "engine"), slow_after(1, [(CONTRADICTION, "search"), (UNSOLVABLE, "contraction")]))
def test_a_board_without_a_solution_has_an_empty_list_and_nothing_to_choose(ask: Run, board: str, engine: str) -> None:
    everything = ask("-", "--list", "--engine", engine, stdin=board)
    assert (everything.returncode, everything.stdout, everything.stderr) == (0, "", "")
    first = ask("-", "--nth", "0", "--engine", engine, stdin=board)
    assert first.stderr == "enumerate: <stdin>:1: no solution 0: the board has no solution\n"
    some = ask("-", "--sample", "2", "--engine", engine, stdin=board)
    assert some.stderr == "enumerate: <stdin>:1: there is no solution to choose\n"
    assert [(done.returncode, done.stdout) for done in (first, some)] == [(2, ""), (2, "")]
    answer = json.loads(ask("-", "--candidates", "--json", "--engine", engine, stdin=board).stdout)
    assert (answer["solutions"], answer["closest_clues"]) == ("0", [])
    assert answer["candidates"] == [["0"] * 9] * 81


def test_a_board_too_large_for_the_contraction_is_named(ask: Run) -> None:
    done = ask(board_file("16x16-many"), "--candidates", "--engine", "contraction")
    assert done.stderr.startswith(f"enumerate: {board_file('16x16-many')}:2: ")
    assert done.stderr.endswith("too large for the contraction: use the search (--engine search)\n")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("options", [["--list"], ["--sample", "1"], ["--candidates", "--json"]])
def test_a_board_from_a_pipe_is_answered_before_the_next_is_sent(options: list[str]) -> None:
    with started("-", *options, stdin=subprocess.PIPE, bufsize=1) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(f"{PUZZLE}\n")
            assert select([process.stdout], [], [], 10)[0]
            assert process.stdout.readline().endswith("\n")
        process.stdin.close()
        assert process.wait() == 0


# -------------------------------------------------------------------------------------------- mistakes


BAD_TIMES = ("0", "0e9", "nan", "inf", "1e400", "1e-400", "1e9999999", "s", "0s", "1m30", "2y", "1e999h", "", "1_0")


@pytest.mark.parametrize("seconds", slow_after(2, ["1e308", "1e-300", "1E+9", "999999999999", "2e0", ".5"]))
@pytest.mark.parametrize("options", slow_after(1, [["--quiet"], ["--list"], ["--candidates"], ["--sample", "1"]]))
def test_any_number_is_a_time_limit(ask: Run, options: list[str], seconds: str) -> None:
    done = ask("-", *options, "--time-limit", seconds, stdin=PUZZLE)
    late = "e-" in seconds and "--quiet" not in options
    assert (done.returncode, done.stderr) == (0, "") or late
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10s", 10),
        ("2m", 120),
        ("2 min", 120),
        ("1h", 3600),
        ("1h30m", 5400),
        ("1.5h", 5400),
        ("250ms", 0.25),
        ("1d", 86400),
    ],
)
def test_a_time_may_have_units(text: str, expected: float) -> None:
    assert arguments.seconds(text) == pytest.approx(expected)


def test_a_number_that_no_solution_has_is_answered_by_those_that_some_have(ask: Run) -> None:
    done = ask("-", "--nth", "1", stdin=PUZZLE)
    assert_mistake(done, "<stdin>:1: no solution 1: the board has 1 solution, number 0\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x.txt", "--nth", "-1"], "--nth: '-1'"),
        (["x.txt", "--nth", "٣"], "--nth: '٣'"),
        (["x.txt", "--sample", "0"], "--sample: '0' is not a whole number of at least 1"),
        (["x.txt", "--sample", "1", "--seed", "x"], "--seed: 'x'"),
        *((["x.txt", "--time-limit", bad], f"--time-limit: '{bad}'") for bad in BAD_TIMES),
        (["x.txt", "--list", "--nth", "0"], "not allowed with"),
        (["x.txt", "--seed", "0"], "--seed goes with --sample"),
        (["x.txt", "--nth", "0", "--limit", "5"], "--limit does not go with --nth"),
        (["x.txt", "--candidates", "--output", "y"], "--output does not go with --candidates"),
        (["x.txt", "--output", "y"], "--output goes with --list or --nth or --sample"),
        (["x.txt", "--nth", "0", "--quiet"], "--quiet does not go with --nth"),
        (["absent.txt", "--list"], "absent.txt: No such file or directory"),
        ([".", "--candidates"], ".: Is a directory"),
        (["-", "--sample", "1"], "<stdin>: no board in it"),
    ],
)
def test_mistakes_end_with_status_2_and_one_line(ask: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    assert_mistake(ask(*arguments), message)
    assert not list(tmp_path.iterdir())


def test_a_list_that_is_cut_says_so_and_one_that_is_not_does_not(ask: Run) -> None:
    cut = ask(board_file("4x4-many"), "--list", "--limit", "23")
    assert (len(cut.stdout.splitlines()), cut.returncode) == (23, 0)
    assert "stopped after 23 solutions: there are more" in cut.stderr
    for limit in ("24", "25"):
        whole = ask(board_file("4x4-many"), "--list", "--limit", limit)
        assert (len(whole.stdout.splitlines()), whole.returncode, whole.stderr) == (24, 0, "")


@pytest.mark.parametrize("columns", [60, 72])
def test_candidates_are_a_table_where_there_is_no_room_to_draw_them(columns: int) -> None:
    shown = on_a_terminal(board_file("2b"), "--candidates", columns=columns)
    assert "┌" not in shown
    assert "r1c2    0    0   33" in shown


def test_a_long_sample_is_the_librarys(ask: Run) -> None:
    lines = ask(board_file("1c"), "--sample", "3000", "--seed", "5").stdout.splitlines()
    assert lines == [str(board) for board in sample(read(board_file("1c")), 3000, seed=5)]
