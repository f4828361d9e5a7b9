"""Tables as text: columns under their heads, as wide as their contents.

A table that is printed fits 100 columns. Columns that would not fit are marked `wide`, and are
printed on request (`--wide`); `--csv` prints the rows of a table with all their columns instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from bench.tables.table import csv_line

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

GAP = "  "

Item = TypeVar("Item")


class Column(NamedTuple, Generic[Item]):
    """A column of a printed table: its head, and the text of its cell for an item."""

    head: str
    cell: Callable[[Item], str]
    is_wide: bool = False
    """Printed with --wide only."""
    is_left: bool = False
    """Aligned to the left, as names are."""


def text_table(columns: Iterable[Column[Item]], items: Iterable[Item], wide: bool = False) -> Iterator[str]:
    """Yield the lines of a table: its heads, then one line for each item."""
    shown = [column for column in columns if wide or not column.is_wide]
    cells = [[column.head for column in shown], *([column.cell(item) for column in shown] for item in items)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        aligned = (
            text.ljust(width) if column.is_left else text.rjust(width)
            for column, text, width in zip(shown, line, widths, strict=True)
        )
        yield GAP.join(aligned).rstrip()


def csv_table(rows: list[DataclassInstance]) -> Iterator[str]:
    """Yield rows as lines of CSV with all their columns, heads first."""
    if rows:
        yield ",".join(field.name for field in fields(rows[0]))
    for row in rows:
        yield csv_line(row).rstrip("\n")
