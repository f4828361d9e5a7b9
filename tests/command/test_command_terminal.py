"""The command on a terminal: the drawing of a board, its figures, and the progress bar."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.boards import BOARDS, CONTRADICTION, EMPTY, PUZZLE, UNSOLVABLE
from support.cases import slow_after
from support.processes import EARLY_BAR, Run, on_a_terminal

import enumerator
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.command.options import make_parser
from enumerator.command.request import make_request
from enumerator.command.views import listing
from enumerator.questions import progress_bar


def boards_drawn(shown: str) -> list[Board]:
    """Return the boards whose drawings are below each other, without anything beside them."""
    drawn = re.findall(r"┌[^└]*└", shown)
    rows = [re.findall(r"│(.*)│", drawing) for drawing in drawn]
    return [Board.parse("\n".join(row.replace("│", "").replace("·", ".") for row in some)) for some in rows]


def test_a_terminal_shows_the_board_with_its_figures_beside_it() -> None:
    shown = on_a_terminal(str(BOARDS / "1c.txt"), "--no-progress")
    lines = shown.splitlines()
    assert lines[0] == f"{BOARDS / '1c.txt'}:1: {enumerator.count(read(str(BOARDS / '1c.txt'))):,} solutions"
    assert lines[1].startswith("┌───────┬───────┬───────┐   engine        ")
    rows = [line for line in lines if line.startswith("│")]
    drawn = "".join("".join(re.findall(r"[\d·]", row[:25])) for row in rows)
    assert Board.parse(drawn.replace("·", ".")) == read(str(BOARDS / "1c.txt"))
    names = re.findall(r"^.{25}   (\S.*?)  ", shown, re.MULTILINE)
    assert names == ["engine", "time", "clues", "empty cells", "search space"]


@pytest.mark.parametrize(
    ("text", "options", "verdict"),
    slow_after(
        3,
        [
            (PUZZLE, [], "unique"),
            ("1234............", [], "12 solutions"),
            ("1234............", ["--limit", "1"], "at least 1 solution (limit)"),
            ("1234............", ["--limit", "3"], "at least 3 solutions (limit)"),
            (CONTRADICTION, [], "no solution: row 1 holds 5 twice, at r1c1 and r1c5"),
            (UNSOLVABLE, [], "no solution"),
            (EMPTY, [], "6,670,903,752,021,072,936,960 solutions"),
            (EMPTY, ["--engine", "search", "--time-limit", "0.1"], r"at least [\d,]+ solutions \(time limit\)"),
            ("1234............", ["--estimate"], "12 solutions (counted)"),
        ],
    ),
)
def test_the_first_line_has_the_verdict_and_the_number(
    tmp_path: Path, text: str, options: list[str], verdict: str
) -> None:
    (tmp_path / "it").write_text(text)
    first = on_a_terminal(str(tmp_path / "it"), *options, "--no-progress", columns=150).splitlines()[0]
    expected = verdict if "\\" in verdict else re.escape(verdict)
    assert re.fullmatch(rf"{re.escape(str(tmp_path))}/it(:1)?: {expected}", first), first


@pytest.mark.slow
def test_a_unique_board_has_its_solution_beside_it(tmp_path: Path) -> None:
    (tmp_path / "it").write_text(PUZZLE)
    for columns, across in ((60, 2), (40, 1), (120, 2)):
        shown = on_a_terminal(str(tmp_path / "it"), columns=columns)
        tops = [line.count("┌") for line in shown.splitlines() if "┌" in line]
        assert tops == ([2] if across == 2 else [1, 1])
        assert max(map(len, shown.splitlines())) <= columns
        row = "5 3 4 │ 6 7 8 │ 9 1 2"
        assert (f"│ 5 3 · │ · 7 · │ · · · │   │ {row} │" in shown) == (across == 2)
        assert f"│ {row} │" in shown


@pytest.mark.parametrize("variable", [{"COLORTERM": "truecolor"}, {"NO_COLOR": "1"}])
def test_clues_and_found_digits_look_different(variable: dict[str, Any]) -> None:
    shown = on_a_terminal(str(BOARDS / "4x4-unique.txt"), plain=False, **variable)
    rows = [line.split("   ")[1] for line in shown.splitlines() if "│" in line]
    styled = [style for row in rows for style in re.findall(r"(?:\x1b\[([0-9;]*)m)?\d(?:\x1b\[0m)?", row)]
    solution = enumerator.solutions(read(str(BOARDS / "4x4-unique.txt")))
    assert next(solution).shape.cells == len(styled)
    clues = {style for style, clue in zip(styled, read(str(BOARDS / "4x4-unique.txt")).cells, strict=True) if clue}
    found = {style for style, clue in zip(styled, read(str(BOARDS / "4x4-unique.txt")).cells, strict=True) if not clue}
    assert len(clues) == len(found) == 1
    assert clues != found
    assert ("NO_COLOR" in variable) == (not re.search(r"\x1b\[(?:[0-9;]*;)?3\dm", shown))


def test_verdicts_on_a_terminal_have_the_names_of_their_boards(tmp_path: Path) -> None:
    file = tmp_path / "three.txt"
    file.write_text(f"{PUZZLE}\n{EMPTY}\n{'!' * 81}\n{CONTRADICTION}\n")
    shown = on_a_terminal(str(file), "--classify", status=2).splitlines()
    assert shown[:2] == [f"{file}:1: unique", f"{file}:2: multiple"]
    assert f"{file}:3: invalid" in shown
    assert shown[-1] == f"{file}:4: none"
    assert on_a_terminal(str(file), "--classify", "--quiet", status=2).splitlines()[:2] == ["unique", "multiple"]


@pytest.mark.slow
def test_a_terminal_is_not_flooded_by_a_list(tmp_path: Path) -> None:
    one = str(BOARDS / "2c.txt")
    advice = "are too many for a terminal, which shows up to 1,000: use --limit N, --output FILE or a pipe\n"
    number = f"{enumerator.count(read(one)):,}"
    for form in ([], ["--json"], ["--grids"]):
        assert on_a_terminal(one, "--list", *form, status=2) == f"enumerate: {one}:1: {number} solutions {advice}"
    assert on_a_terminal(one, "--list", "--limit", "1001", columns=60).count("┌") == 1001
    assert on_a_terminal(one, "--list", "--output", str(tmp_path / "all.txt")).count("┌") == 0
    assert (tmp_path / "all.txt").read_bytes().count(b"\n") == enumerator.count(read(one))
    assert on_a_terminal(str(BOARDS / "2b.txt"), "--list").count("┌") == 184


def test_a_number_that_is_not_known_at_once_is_a_bound_and_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "LOOK_SECONDS", 0.1)
    request = make_request(make_parser().parse_args(["--list"]), None, None)
    found = listing.find_flood(Board.empty(Shape(4, 4)), request)
    assert re.match(r"at least [\d,]+ (\(estimated: \S+\) )?solutions are too many for a terminal", found)


def test_long_figures_are_wrapped_beside_the_board() -> None:
    arguments = (str(BOARDS / "1c.txt"), "--limit", "5", "--cores", "1000000")
    lines = on_a_terminal(*arguments, columns=80).splitlines()
    beside = [line[28:].rstrip() for line in lines[1:14]]
    assert beside[0].startswith("engine        search, 1 core (1000000")
    assert beside[1].startswith(" " * 14)
    assert "clues         20 of 81 cells (25 % filled)" in beside
    assert all(line[24] in "┐│┤┘" for line in lines[1:14])
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_a_narrow_terminal_shows_the_figures_below_or_alone() -> None:
    assert max(map(len, on_a_terminal(str(BOARDS / "1c.txt"), columns=50).splitlines())) <= 50
    narrow = on_a_terminal(str(BOARDS / "25x25-unique.txt"), columns=50)
    assert "│" not in narrow
    assert re.search(r"25x25-unique\.txt:2:\s+unique\n", narrow)
    assert f"solution  {next(enumerator.solutions(read(str(BOARDS / '25x25-unique.txt'))))}\n" in narrow


@pytest.mark.slow
def test_a_terminal_that_is_too_narrow_gets_plain_text() -> None:
    for columns in (0, 8):
        shown = on_a_terminal(str(BOARDS / "1c.txt"), columns=columns)
        assert re.search(r"^  solutions       134037$", shown, re.MULTILINE)


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_drawings_in_ascii() -> None:
    in_latin = on_a_terminal(str(BOARDS / "6x6-unique.txt"), PYTHONIOENCODING="latin-1")
    assert in_latin.isascii()
    assert "| 6 . . | . 1 . |   | 6 3 4 | 2 1 5 |" in in_latin
    timeless = re.compile(r"\d\.\d+ s")
    by_option = on_a_terminal(str(BOARDS / "6x6-unique.txt"), "--ascii")
    assert timeless.sub("", by_option) == timeless.sub("", in_latin)
    for options in (["--list"], ["--sample", "1"], ["--candidates"], ["--estimate"]):
        assert on_a_terminal(str(BOARDS / "6x6-unique.txt"), *options, "--ascii").isascii()


@pytest.mark.slow
def test_what_a_terminal_shows_can_be_read_again() -> None:
    for name in ("6x6-many", "4x4-many"):
        shown = on_a_terminal(str(BOARDS / f"{name}.txt"), columns=45)
        assert boards_drawn(shown) == [read(str(BOARDS / f"{name}.txt"))]


@pytest.mark.slow
def test_solutions_are_drawn_on_a_terminal() -> None:
    board = read(str(BOARDS / "4x4-many.txt"))
    known = list(enumerator.solutions(board))
    shown = on_a_terminal(str(BOARDS / "4x4-many.txt"), "--list")
    assert re.findall(r"^#(\d+)  (.*)$", shown, re.MULTILINE) == [
        (str(number), f"{BOARDS / '4x4-many.txt'}:1") for number in range(len(known))
    ]
    assert boards_drawn(shown) == known
    assert boards_drawn(on_a_terminal(str(BOARDS / "4x4-many.txt"), "--nth", "7")) == [known[7]]
    assert "#7  " in on_a_terminal(str(BOARDS / "4x4-many.txt"), "--nth", "7", "--grids")
    sampled = boards_drawn(on_a_terminal(str(BOARDS / "4x4-many.txt"), "--sample", "5", "--seed", "1"))
    assert sampled == enumerator.sample(board, 5, seed=1)


def test_solutions_too_wide_for_a_terminal_are_lines() -> None:
    board = BOARDS / "25x25-unique.txt"
    assert on_a_terminal(str(board), "--list", columns=60) == f"{next(enumerator.solutions(read(str(board))))}\n"


def test_a_terminal_says_that_there_is_nothing_to_list(tmp_path: Path) -> None:
    (tmp_path / "it").write_text(CONTRADICTION)
    assert on_a_terminal(str(tmp_path / "it"), "--list") == f"{tmp_path / 'it'}:1: no solution\n"


@pytest.mark.parametrize("columns", slow_after(1, [60, 30, 100]))
def test_a_bar_shows_how_far_a_count_is(columns: int) -> None:
    shown = on_a_terminal(str(BOARDS / "1d.txt"), "--engine", "search", columns=columns, program=EARLY_BAR)
    frames = re.findall(r"(\d+\.\d) % .*?([\d.]+ s), about ([\d.]+ s) left", shown)
    assert frames, shown
    shares = [float(share) for share, _, _ in frames]
    assert shares == sorted(shares)
    assert 1 < shares[-1] < 100
    assert ("solutions, " in shown) == (columns >= 80)
    assert ("━" in shown) == (columns >= 40)
    bars = re.findall(r"[^\r\n]*left", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown))
    assert max(map(len, bars)) <= columns


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "total"),
    [("1f", ["--list"], "27,686,226"), ("1e", ["--sample", "1e5"], "100,000")],
)
def test_a_bar_knows_how_many_solutions_there_will_be(name: str, options: list[str], total: str) -> None:
    asked = (str(BOARDS / f"{name}.txt"), *options, "--output", "/dev/null")
    shown = on_a_terminal(*asked, columns=120, program=EARLY_BAR)
    assert re.search(rf"\d %.* [\d,]+ of {total} solutions, .* about [\d.]+ \w+ left", shown), shown


@pytest.mark.slow
def test_there_is_no_bar_where_none_is_wanted() -> None:
    asked = (str(BOARDS / "empty.txt"), "--engine", "search", "--time-limit", "0.2")
    for option, has_bar in (("--no-progress", False), ("--quiet", False), ("--cores=1", True)):
        assert ("━" in on_a_terminal(*asked, option, program=EARLY_BAR)) == has_bar


def test_there_is_no_bar_in_a_pipe(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_bar, "FIRST_SECONDS", 0.05)
    done = ask(str(BOARDS / "empty.txt"), "--engine", "search", "--time-limit", "0.2")
    assert "━" not in done.stdout
    assert done.stderr == ""


def test_a_terminal_names_each_board_without_solution_while_others_go_to_a_file(tmp_path: Path) -> None:
    """Boards 20 and behind are answered in blocks; their messages are those of the first ones."""
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n{CONTRADICTION}\n" * 30)
    shown = on_a_terminal(str(tmp_path / "many.txt"), "--list", "--no-progress", "--output", str(tmp_path / "out.txt"))
    assert re.findall(r":(\d+): no solution", shown.replace("\n", "")) == [str(line) for line in range(2, 61, 2)]
    assert len((tmp_path / "out.txt").read_text().splitlines()) == 30
