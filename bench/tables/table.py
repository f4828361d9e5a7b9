"""Files of measurements, as tidy CSV: a row a measurement, a column a variable, and their origin.

    # speedup --cores 1,2 --engine search
    # cpu: AMD EPYC 7B12
    # ...
    board,cores,iteration,seconds,...
    1a,1,0,0.0000213,...

A row is on the disk as soon as it is added. An interrupted run is resumed by the same command: it
reads the rows in the file and measures the missing ones. Rows of another command, version or
machine are never mixed with them: such a file is refused, or replaced on request.
"""

from __future__ import annotations

import csv
import gzip
import os
import types
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import astuple, fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_type_hints

from bench.tables.machine import IDENTITY, machine_facts

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


class DataError(Exception):
    """A file that cannot be used. Says which, and why."""


class Table(Generic[Row]):
    """Rows of one kind, a frozen dataclass, in a file that grows.

    Compressed if its name ends in .gz.
    """

    def __init__(self, path: Path, kind: type[Row], command: str, fresh: bool = False) -> None:
        """Resume the file, or begin it if there is none or `fresh` is set. Raises DataError."""
        self.path, self.kind = path, kind
        self.rows: list[Row] = []
        if path.exists() and path.stat().st_size and not fresh:
            self._resume(command)
        else:
            write(path, kind, command, [])

    def _resume(self, command: str) -> None:
        known, self.rows = read(self.path, self.kind)
        now = {"command": command, **machine_facts()}
        for name in ("command", *IDENTITY):
            if known.get(name) != now[name]:
                raise DataError(
                    f"{self.path} is of another run: its {name} is {known.get(name)!r}, this one's {now[name]!r}."
                    " --fresh replaces it, --results FOLDER writes elsewhere"
                )
        replace_file(self.path, whole_lines(load(self.path)))

    def replace(self, rows: list[Row]) -> None:
        """Keep these rows alone. Raises DataError."""
        self.rows = rows
        head = [line for line in load(self.path).splitlines(keepends=True) if line.startswith("#")]
        columns = ",".join(field.name for field in fields(self.kind))
        replace_file(self.path, f"{''.join(head)}{columns}\n" + "".join(map(csv_line, rows)))

    def add(self, *rows: Row) -> None:
        """Add measurements; they are on the disk when this returns. Raises DataError.

        They are kept as they are read again, so that what is printed does not depend on when it is printed.
        """
        self.rows += map(as_saved, rows)
        try:
            with open(self.path, "ab") as file:
                file.write(encode(self.path, "".join(map(csv_line, rows))))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise DataError(f"{self.path}: {error.strerror or error}") from None


def write(path: Path, kind: type[Row], command: str, rows: Iterable[Row]) -> None:
    """Write a whole table, replacing the file."""
    facts = machine_facts()
    head = "".join(f"# {line}\n" for line in (command, *(f"{name}: {value}" for name, value in facts.items())))
    columns = ",".join(field.name for field in fields(kind))
    replace_file(path, f"{head}{columns}\n" + "".join(map(csv_line, rows)))


def read(path: Path, kind: type[Row]) -> tuple[dict[str, str], list[Row]]:
    """Return the facts above the rows (the first line as `command`), and the rows.

    Raises DataError.
    """
    try:
        lines = whole_lines(load(path)).splitlines()
    except (OSError, UnicodeDecodeError, zlib.error) as error:
        raise DataError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    comments = [line[1:].strip() for line in lines if line.startswith("#")]
    rows = csv.reader(line for line in lines if not line.startswith("#"))
    declared, columns = column_types(kind), next(rows, [])
    if columns != list(declared):
        raise DataError(f"{path} has other columns than a table of {kind.__name__.lower()}s")
    try:
        found = [kind(*(parse_value(*pair) for pair in zip(declared.values(), row, strict=True))) for row in rows]
    except (ValueError, KeyError) as error:
        raise DataError(f"{path}: {error}") from None
    facts = dict(line.partition(": ")[::2] for line in comments[1:])
    return {"command": comments[0] if comments else "", **facts}, found


def origin_text(name: str, facts: dict[str, str]) -> str:
    """Return where and when a table was made, in a line."""
    cpu, date, commit = (facts.get(fact, "unknown") for fact in ("cpu", "date", "commit"))
    return f"data of {name}: {cpu}, {date}, commit {commit}"


def whole_lines(text: str) -> str:
    """Return the text up to its last line end: a killed writer leaves a torn line."""
    return text[: text.rfind("\n") + 1]


def load(path: Path) -> str:
    """Return the text of a file; of a truncated compressed one, as much as can be decompressed."""
    data = path.read_bytes()
    if path.suffix != ".gz":
        return data.decode()
    text = b""
    while data:
        member = zlib.decompressobj(wbits=31)
        text += member.decompress(data)
        data = member.unused_data
    return text.decode()


def encode(path: Path, text: str) -> bytes:
    """Return the bytes of a text in that file: compressed if its name ends in .gz."""
    return gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode()


def replace_file(path: Path, text: str) -> None:
    """Write a text to a file atomically: a killed writer leaves the old content. Raises DataError."""
    new = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(new, "wb") as file:
            file.write(encode(path, text))
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise DataError(f"{path}: {error.strerror or error}") from None


def as_saved(row: Row) -> Row:
    """Return a row as it is read from a file: floats have six digits there."""
    (texts,) = csv.reader([csv_line(row)])
    return type(row)(*map(parse_value, column_types(type(row)).values(), texts))


def column_types(kind: type[Any]) -> dict[str, Any]:
    """Return the columns of a kind of row and their declared types."""
    if kind not in _column_types:  # finding them takes longer than parsing a row
        hints = get_type_hints(kind)
        _column_types[kind] = {field.name: hints[field.name] for field in fields(kind)}
    return _column_types[kind]


_column_types: dict[type[Any], dict[str, Any]] = {}


def parse_value(kind: Any, text: str) -> Any:
    """Return the value of a text, of the declared type of its column.

    Empty text is None where that is allowed.
    """
    if isinstance(kind, types.UnionType):
        if not text:
            return None
        (kind,) = (each for each in get_args(kind) if each is not type(None))
    if kind is bool:
        return {"True": True, "False": False}[text]
    return kind(text)


def csv_line(row: Any) -> str:
    """Return a row as a line of CSV, line end included; floats with six digits."""
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(
        f"{value:.6g}" if isinstance(value, float) else value for value in astuple(row)
    )
    return line.getvalue()
