"""Rows of CSV, made of the same facts as JSON.

A column is named by the fact that it shows. A fact of a fact has the names of both, as pandas names
it: `estimated_solutions.mean`. The columns of a question are fixed, so that tables of several
commands fit together; a fact that an answer does not have is an empty field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from enumerator.questions.chunks import Names
from enumerator.text import columns
from enumerator.text.columns import Column


def write_row(fields: Iterable[str]) -> str:
    """Return fields as a line of CSV, without its end. Fields are quoted where they must be."""
    import csv
    import io

    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(fields)
    return line.getvalue()


def make_row(names: Sequence[str], facts: Mapping[str, object]) -> str:
    """Return the facts that have a column as a line of CSV."""
    return write_row(find_field(name, facts) for name in names)


def find_field(name: str, facts: Mapping[str, object]) -> str:
    """Return the fact of a column as text; empty if there is none."""
    value: object = facts
    for key in name.split("."):
        if not isinstance(value, dict) or key not in value:
            return ""
        value = value[key]
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    import json

    return json.dumps(value)


def csv_columns(names: Sequence[str], facts: Mapping[str, object], varying: Mapping[str, list[Column]]) -> list[Column]:
    """Return the columns of lines of CSV. See `json_columns`; a varying fact needs no quotes, or has them."""
    made: list[Column] = []
    text = ""
    for number, name in enumerate(names):
        text += "," if number else ""
        if name in varying:
            made += [columns.text(text.encode()), *varying[name]]
            text = ""
        else:
            text += write_row([find_field(name, facts)]).removeprefix('""')
    return [*made, columns.text(f"{text}\n".encode())]


def csv_source_columns(names: Names) -> list[Column]:
    """Return the columns of the name of a file and the line, as a field of CSV."""
    name = f"{names.source}:"
    before = write_row([name])
    is_quoted = before != name
    text = columns.text((before[:-1] if is_quoted else before).encode(errors="backslashreplace"))
    return [text, columns.counter(names.line), *([columns.text(b'"')] if is_quoted else [])]
