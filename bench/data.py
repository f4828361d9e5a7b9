"""Tables of measurements, as tidy CSV: a row a measurement, a column a variable, and above them where they were made.

    # speedup --cores 1,2 --engine search
    # cpu: AMD EPYC 7B12
    # ...
    board,cores,iteration,seconds,...
    1a,1,0,0.0000213,...

A row is on the disk as soon as it is added. A run that was interrupted is gone on with by the same command: it finds
its rows in the file and measures what is missing. What was written by another command, version or machine is never
mixed with it: it is refused, or replaced if that was asked for.
"""

from __future__ import annotations

import csv
import gzip
import os
import types
import zlib
from collections.abc import Iterable
from dataclasses import astuple, fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_type_hints

from bench import ROOT
from bench.machine import SAME, facts

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RESULTS = ROOT / "results"

Row = TypeVar("Row", bound="DataclassInstance")


class DataError(Exception):
    """A file that cannot be used. Says which, and why."""


class Table(Generic[Row]):
    """Rows of one kind, a frozen dataclass, in a file that grows; compressed, if its name ends in .gz."""

    def __init__(self, path: Path, kind: type[Row], command: str, fresh: bool = False) -> None:
        """Go on with a file, or begin it. Raises DataError."""
        self.path, self.kind = path, kind
        self.rows: list[Row] = []
        if path.exists() and path.stat().st_size and not fresh:
            self._go_on(command)
        else:
            write(path, kind, command, [])

    def _go_on(self, command: str) -> None:
        known, self.rows = read(self.path, self.kind)
        now = {"command": command, **facts()}
        for name in ("command", *SAME):
            if known.get(name) != now[name]:
                raise DataError(
                    f"{self.path} is of another run: its {name} is {known.get(name)!r}, this one's {now[name]!r}."
                    " --fresh replaces it, --output FILE writes elsewhere"
                )
        replace(self.path, whole_lines(load(self.path)))

    def add(self, *rows: Row) -> None:
        """A measurement more: on the disk when this returns."""
        self.rows += rows
        with open(self.path, "ab") as file:
            file.write(packed(self.path, "".join(map(as_csv, rows))))
            file.flush()
            os.fsync(file.fileno())


def write(path: Path, kind: type[Row], command: str, rows: Iterable[Row]) -> None:
    """A whole file, in place of what was there."""
    head = "".join(f"# {line}\n" for line in (command, *(f"{name}: {value}" for name, value in facts().items())))
    columns = ",".join(field.name for field in fields(kind))
    replace(path, f"{head}{columns}\n" + "".join(map(as_csv, rows)))


def read(path: Path, kind: type[Row]) -> tuple[dict[str, str], list[Row]]:
    """What is said above the rows of a file (its first line as `command`), and the rows. Raises DataError."""
    try:
        lines = whole_lines(load(path)).splitlines()
    except (OSError, UnicodeDecodeError, zlib.error) as error:
        raise DataError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    said = [line[1:].strip() for line in lines if line.startswith("#")]
    rows = csv.reader(line for line in lines if not line.startswith("#"))
    declared, columns = column_types(kind), next(rows, [])
    if columns != list(declared):
        raise DataError(f"{path} has other columns than a table of {kind.__name__.lower()}s")
    try:
        found = [kind(*(value(*pair) for pair in zip(declared.values(), row, strict=True))) for row in rows]
    except (ValueError, KeyError) as error:
        raise DataError(f"{path}: {error}") from None
    return {"command": said[0] if said else "", **dict(line.partition(": ")[::2] for line in said[1:])}, found


def whole_lines(text: str) -> str:
    """A text without what its writer was at when something ended it."""
    return text[: text.rfind("\n") + 1]


def load(path: Path) -> str:
    """The text of a file; of a compressed one, whatever of it is whole."""
    data = path.read_bytes()
    if path.suffix != ".gz":
        return data.decode()
    text = b""
    while data:
        member = zlib.decompressobj(wbits=31)
        text += member.decompress(data)
        data = member.unused_data
    return text.decode()


def packed(path: Path, text: str) -> bytes:
    """A text, as it is written to a file of that name."""
    return gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode()


def replace(path: Path, text: str) -> None:
    """Have a text in a file, or what was there before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(packed(path, text))
    beside.replace(path)


def column_types(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def value(kind: Any, text: str) -> Any:
    """What a text says, of the type that a column is declared with; nothing at all is None."""
    if isinstance(kind, types.UnionType):
        if not text:
            return None
        (kind,) = (each for each in get_args(kind) if each is not type(None))
    if kind is bool:
        return {"True": True, "False": False}[text]
    return kind(text)


def as_csv(row: Any) -> str:
    """A line, with its end."""
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(
        f"{value:.6g}" if isinstance(value, float) else value for value in astuple(row)
    )
    return line.getvalue()
