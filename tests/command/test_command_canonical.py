"""--canonical and --distinct: boards alone and in batches, in order, in every form."""

import json
import re
from pathlib import Path

from support.boards import PUZZLE, SOLVED
from support.processes import Run

import enumerator as en


def shuffled_file(folder: Path, number: int) -> tuple[Path, list[str]]:
    """Return a file in which two classes of boards alternate."""
    lines = [str(en.Board(PUZZLE if seed % 2 else SOLVED).shuffled(seed)) for seed in range(number)]
    path = folder / "boards.txt"
    path.write_text("\n".join(lines) + "\n")
    return path, lines


def test_canonical_prints_forms_in_order(tmp_path: Path, ask: Run) -> None:
    path, lines = shuffled_file(tmp_path, 300)
    forms = [str(en.canonical(line).form) for line in (SOLVED, PUZZLE)] * 150
    assert ask(str(path), "--canonical", "--quiet").stdout.split() == forms
    for line, text in zip(lines, ask(str(path), "--canonical", "--json").stdout.splitlines(), strict=True):
        facts, answer = json.loads(text), en.canonical(line)
        assert facts["seconds"] >= 0
        assert {**facts, "seconds": 0, "source": ""} == {**answer.to_dict(), "seconds": 0, "source": ""}


def test_canonical_of_one_board_is_a_title_and_facts(ask: Run) -> None:
    text = ask("." * 81, "--canonical").stdout
    assert re.search(r"^  automorphisms +1218998108160$", text, re.MULTILINE)
    assert ask("." * 16, "--canonical", "--quiet").stdout == "." * 16 + "\n"


def test_equivalent_names_a_symmetry_or_says_no(tmp_path: Path, ask: Run) -> None:
    other = en.Board(PUZZLE).shuffled(3)
    path = tmp_path / "other.txt"
    path.write_text(f"{other}\n")
    for given in (str(other), str(path)):
        facts = json.loads(ask(PUZZLE, "--equivalent", given, "--json").stdout)
        symmetry = en.Symmetry("3x3", **facts["symmetry"])
        assert facts["equivalent"]
        assert facts["other"] == str(other) == str(en.Board(PUZZLE).transformed(symmetry))
    assert ask(PUZZLE, SOLVED, str(other), "." * 16, "--equivalent", str(path), "-q").stdout.split() == [
        *("yes", "no", "yes", "no")
    ]
    rows = [line for line in ask(PUZZLE, "--equivalent", str(other)).stdout.splitlines() if line.strip()]
    assert [line.split()[0] for line in rows[1:]] == ["equivalent", "rows", "columns", "digits", "time"]
    done = ask(PUZZLE, "--equivalent", "absent.txt")
    assert done.returncode == 2
    assert "absent.txt" in done.stderr
    path.write_text(f"{other}\n{other}\n")
    done = ask(PUZZLE, "--equivalent", str(path))
    assert (done.returncode, done.stderr) == (2, f"enumerate: --equivalent: {path}:2: more than one board\n")


def test_distinct_prints_the_first_board_of_each_class(tmp_path: Path, ask: Run) -> None:
    path, lines = shuffled_file(tmp_path, 200)
    assert ask(str(path), "--distinct").stdout.split() == lines[:2]
    found = [json.loads(line) for line in ask(str(path), "--distinct", "--json").stdout.splitlines()]
    assert [one["board"] for one in found] == lines
    assert [one["number"] for one in found] == list(range(1, 201))
    assert [one["equals"] for one in found] == [None, None, *([1, 2] * 99)]
    assert [one["distinct"] for one in found] == [True, True, *([False] * 198)]


def test_distinct_goes_on_after_a_board_that_cannot_be_read(tmp_path: Path, ask: Run) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{SOLVED}\n{SOLVED[:-1]}X\n{en.Board(SOLVED).shuffled(1)}\n{PUZZLE}\n")
    done = ask(str(path), "--distinct")
    assert done.returncode == 2
    assert done.stdout.split() == [SOLVED, PUZZLE]
    rows = [json.loads(line) for line in ask(str(path), "--distinct", "--json").stdout.splitlines()]
    assert [row.get("number") for row in rows] == [1, None, 3, 4]
    assert [row.get("equals") for row in rows] == [None, None, 1, None]


def test_a_form_that_is_not_found_in_time_is_unknown(tmp_path: Path, ask: Run) -> None:
    """A tall pattern takes many steps, and a puzzle few."""
    size, path = 24, tmp_path / "boards.txt"
    pattern = bytes((3 * (row % 8) + row // 8 + column) % size + 1 for row in range(size) for column in range(size))
    board = str(en.Board.from_cells("8x3", pattern))
    path.write_text(f"{board}\n")
    done = ask(str(path), "--canonical", "--shape", "8x3", "--quiet", "--time-limit", "0.001")
    assert (done.returncode, done.stdout) == (1, "unknown\n")
    assert "the canonical form is not found" in done.stderr
    facts = json.loads(ask(str(path), "--canonical", "--shape", "8x3", "--json", "--time-limit", "0.001").stdout)
    assert (facts["verdict"], facts["board"]) == ("unknown", board)
    assert ask(PUZZLE, "--canonical", "--quiet", "--time-limit", "60").stdout == f"{en.canonical(PUZZLE).form}\n"
    done = ask(str(path), "--equivalent", str(path), "--shape", "8x3", "--time-limit", "0.001")
    assert (done.returncode, done.stdout) == (1, "")


def test_standard_input_is_not_read_twice(ask: Run) -> None:
    for boards in ([], ["-"]):
        done = ask(*boards, "--equivalent", "-", stdin=f"{PUZZLE}\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert "standard input cannot be both" in done.stderr
        assert done.stderr.count("\n") == 1
