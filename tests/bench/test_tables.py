"""Tables of measurements: a written table is read back, and an interrupted run is resumed."""

import inspect
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from support.boards import ROOT
from support.cases import needs_sources, slow_after

from bench.study.report import KINDS
from bench.tables import rows
from bench.tables.machine import IDENTITY, machine_facts
from bench.tables.rows import Cost, Piece, Run, Scale
from bench.tables.table import DataError, Table, column_types, read, whole_lines, write

RESULTS = ROOT / "results"
TABLES: dict[str, type[Any]] = {**KINDS, "tasks.csv.gz": Piece, "costs.csv": Cost}
UNPUBLISHED = {"regret.csv"}
"""Tables that the study in results/ does not have yet: it was made before them."""

EVERY_KIND = [kind for _, kind in inspect.getmembers(rows, inspect.isclass) if kind.__module__ == rows.__name__]


def a_row(kind: type[Any], number: int) -> Any:
    """Some row, with texts and numbers that are not easy on a CSV file; every other one has gaps."""
    some = {int: 10**30 + number, float: 0.125 * number, str: f'a, "b" # {number}', bool: number % 2 == 1}

    def value(declared: Any) -> Any:
        if declared in some:
            return some[declared]
        return None if number % 2 else some[get_args(declared)[0]]

    return kind(*map(value, column_types(kind).values()))


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
@pytest.mark.parametrize("kind", slow_after(4, EVERY_KIND))
def test_what_is_written_is_read_again(tmp_path: Path, kind: type[Any], suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    table = Table(path, kind, "some command")
    some = [a_row(kind, number) for number in range(4)]
    table.add(some[0])
    table.add(*some[1:])
    said, found = read(path, kind)
    assert found == some == table.rows
    assert said["command"] == "some command"
    assert list(said)[1:] == list(machine_facts())


def test_a_table_says_where_it_was_made() -> None:
    said = machine_facts()
    assert {"cpu", "cores", "load", "os", "python", "compiler", "version", "commit", "date"} <= set(said)
    assert all(said.values())
    assert "flags -O" in said["compiler"]


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_run_goes_on_behind_the_last_whole_row(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"costs{suffix}"
    for number in range(3):
        Table(path, Cost, "costs").add(Cost(f"step {number}", number))
    table = Table(path, Cost, "costs")
    whole = path.read_bytes()
    table.add(Cost("lost", 1.0))
    path.write_bytes(path.read_bytes()[: len(whole) + 4])  # as if it had been killed while it wrote
    table = Table(path, Cost, "costs")
    assert [row.step for row in table.rows] == ["step 0", "step 1", "step 2"]
    table.add(Cost("found", 1.0))
    assert [row.step for row in read(path, Cost)[1]] == ["step 0", "step 1", "step 2", "found"]


def test_runs_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "costs.csv"
    write(path, Cost, "one command", [Cost("a", 1.0)])
    with pytest.raises(DataError, match="another run: its command is 'one command', this one's 'another'"):
        Table(path, Cost, "another")
    for name in IDENTITY:
        text = path.read_text()
        path.write_text(text.replace(f"# {name}: ", f"# {name}: not "))
        with pytest.raises(DataError, match=f"another run: its {name} is 'not "):
            Table(path, Cost, "one command")
        path.write_text(text)
    assert Table(path, Cost, "another", fresh=True).rows == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "other columns"),
        ("step,minutes\na,1\n", "other columns"),
        ("step,seconds\na,soon\n", "could not convert"),
        ("step,seconds\na\n", "shorter"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "costs.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read(path, Cost)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.csv: No such file"):
        read(tmp_path / "nowhere.csv", Cost)


def test_whole_lines() -> None:
    assert whole_lines("a\nb") == "a\n"
    assert whole_lines("a\nb\n") == "a\nb\n"
    assert whole_lines("a") == ""


@needs_sources
@pytest.mark.parametrize("name", slow_after(5, [name for name in TABLES if name not in UNPUBLISHED]))
def test_the_tables_of_results_have_the_columns_of_today(name: str) -> None:
    said, found = read(RESULTS / name, TABLES[name])
    assert found
    assert list(said)[1:] == list(machine_facts())


def test_every_column_is_plain() -> None:
    assert [field.name for field in fields(Scale)] == ["grid", "clues", "engine", "seconds", "solutions", "memory"]
    assert {type_ for kind in EVERY_KIND for type_ in column_types(kind).values()} <= {
        *(int, float, str, bool, int | None, float | None)
    }
    assert column_types(Run)["search_space"] is int  # larger than any float could say
