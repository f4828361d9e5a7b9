"""--csv: a table with a header, which has the same facts as --json, in the same order of boards."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.boards import BOARDS, PUZZLE
from support.processes import Run, assert_mistake

from enumerator.command import dispatch
from enumerator.run.pacing import Pacing

PACING = Pacing(alone_seconds=1e9, early_product=1e9, promised_seconds=1e9)
"""No work is shared among cores: the number of tasks would depend on how busy the machine is."""

VOLATILE = ("seconds", "estimated_seconds", "before", "verified.seconds", "nodes", "tasks")
"""What the names of facts begin with that differ from one run to the next: times, and what depends on them."""

MIXED = "\n".join([PUZZLE, "." * 81, "5...5" + "." * 76, "!" * 81, PUZZLE, "1234............"])
"""Boards that are unique, multiple, contradictory and unreadable."""


def table(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the header and the rows of a table, none of which has another number of fields."""
    reader = csv.reader(io.StringIO(text))
    header = next(reader)
    return header, [dict(zip(header, row, strict=True)) for row in reader]


def flat(facts: dict[str, object], header: list[str], before: str = "") -> Iterator[tuple[str, object]]:
    """Yield the facts of a JSON object by the names of their columns."""
    for key, value in facts.items():
        name = f"{before}{key}"
        if isinstance(value, dict) and name not in header:
            yield from flat(value, header, f"{name}.")
        else:
            yield name, value


def same(field: str, value: object) -> bool:
    """Tell if a field shows a value of JSON."""
    if value is None or isinstance(value, str):
        return field == (value or "")
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return field == "; ".join(value)
    return bool(json.loads(field) == value)


def assert_same_facts(command: Run, *arguments: str) -> None:
    header, rows = table(command(*arguments, "--csv").stdout)
    answers = [json.loads(line) for line in command(*arguments, "--json").stdout.splitlines()]
    assert len(rows) == len(answers) > 0
    for row, answer in zip(rows, answers, strict=True):
        facts = dict(flat(answer, header))
        if answer.get("verdict") == "invalid" and "verdict" not in header:
            del facts["verdict"]
        assert set(facts) <= set(header), "every fact has a column"
        for name, field in row.items():
            if not name.startswith(VOLATILE):
                assert same(field, facts.get(name)), (name, field, facts.get(name))


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--limit", "2"],
        ["--limit", "2", "--cores", "2"],
        pytest.param(["--verify", "--cores", "1"], marks=pytest.mark.slow),  # without it, a slow run takes more cores
        ["--classify"],
        ["--classify", "--time-limit", "5"],
        ["--estimate", "--seed", "1"],
        ["--link", "sudokupad"],
    ],
    ids=" ".join,
)
def test_it_has_the_facts_of_json(ask: Run, tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "mixed.txt").write_text(f"{MIXED}\n")
    assert_same_facts(ask, "mixed.txt", *options)


@pytest.mark.parametrize("options", [["--limit", "3"], ["--limit", "3", "--cores", "2"], ["--classify"]], ids=" ".join)
@pytest.mark.parametrize("name", ["many.txt", 'a, "b".txt'])
def test_many_boards_in_lines_have_the_facts_of_json(ask: Run, tmp_path: Path, options: list[str], name: str) -> None:
    """They are answered in blocks. The name of the file has to be quoted, or not."""
    lines = [PUZZLE, "." * 81, PUZZLE] * 40 + ["5...5" + "." * 76] + [PUZZLE] * 100
    (tmp_path / name).write_text("\n".join([*lines, ""]))
    assert_same_facts(ask, name, *options)


def test_a_board_that_the_engine_does_not_take_is_named(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "mixed.txt").write_text(f"{'.' * 256}\n{PUZZLE}\n!\n")
    assert_same_facts(ask, "mixed.txt", "--engine", "contraction")
    _, rows = table(ask("mixed.txt", "--engine", "contraction", "--csv").stdout)
    said = [(row["verdict"], len(row["board"])) for row in rows]
    assert said[:2] == [("unsupported", 256), ("unique", 81)]


def test_pencil_marks_are_in_the_board(ask: Run) -> None:
    marks = "12.." * 16
    _, [row] = table(ask(marks, "--csv", "--shape", "2x2").stdout)
    assert (row["board"], row["restricted_cells"]) == (marks, "16")
    assert_same_facts(ask, marks, "--shape", "2x2")


def test_an_engine_with_its_own_unit_has_its_effort(ask: Run) -> None:
    assert_same_facts(ask, str(BOARDS / "16x16-unique.txt"), "--engine", "learning")


def test_a_ledger_is_a_row(ask: Run) -> None:
    ask(str(BOARDS / "1c.txt"), "--engine", "search", "--checkpoint", "run.db", "--cores", "1")
    assert_same_facts(ask, "run.db", "--status")
    header, [row] = table(ask("run.db", "--audit", "--share", "100%", "--seed", "1", "--csv").stdout)
    assert row["agree"] == "true"
    assert sum(json.loads(row["ways"]).values()) == int(row["recounted"]) + int(row["divisions"])
    assert header[0] == "ledger"


def test_candidates_have_a_row_for_each_cell_and_digit(ask: Run) -> None:
    board = "12..3...2...4..."
    answer = json.loads(ask(board, "--candidates", "--json").stdout)
    header, rows = table(ask(board, "--candidates", "--csv").stdout)
    assert header == ["source", "board", "cell", "digit", "count", "solutions", "error"]
    assert [row["cell"] for row in rows[::4]] == [f"r{1 + n // 4}c{1 + n % 4}" for n in range(16)]
    assert [row["digit"] for row in rows] == list("1234") * 16
    assert [row["count"] for row in rows] == [count for cell in answer["candidates"] for count in cell]
    assert {row["solutions"] for row in rows} == {answer["solutions"]}


@pytest.mark.parametrize("options", [["--list"], ["--nth", "0"], ["--sample", "1"], ["--serve"]])
def test_solutions_and_pages_are_no_table(ask: Run, options: list[str]) -> None:
    boards = [] if options == ["--serve"] else [PUZZLE]
    assert_mistake(ask(*boards, *options, "--csv"), f"--csv does not go with {options[0]}: it is a table of facts")


def test_there_is_one_form(ask: Run) -> None:
    for other in ("--json", "--quiet", "--grids"):
        assert_mistake(ask(PUZZLE, "--csv", other), "not allowed with")


def test_a_table_without_boards_has_its_header(ask: Run) -> None:
    done = ask("absent.txt", "--csv")
    header, [row] = table(done.stdout)
    assert (done.returncode, row["source"], row["verdict"]) == (2, "absent.txt", "invalid")
    assert row["error"] == "absent.txt: No such file or directory"
    assert tuple(header) == dispatch.views()["count"].columns
