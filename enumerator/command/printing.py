"""Answers for blocks of boards in print: the only place where lines of JSON, CSV and numbers are made for many.

Lines are made of the columns of the fields of the answers, by `enumerator.text.columns`: a line of JSON
takes 0.3 µs. Where the columns do not say all, the answers are printed one by one.

A column of CSV is named by the fact that it shows. A fact of a fact has the names of both, as pandas names
it: `estimated_solutions.mean`. The columns of a question are fixed, so that tables of several commands fit
together; a fact that an answer does not have is an empty field.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from enumerator.command.views import DRAWINGS, Text
from enumerator.questions.fields import ABSENT, same

if TYPE_CHECKING:
    from enumerator.command.views import View
    from enumerator.questions.chunks import BoardBlock, Names
    from enumerator.questions.fields import AnswerBlock
    from enumerator.text.columns import Column


class Printer:
    """A printer of the answers of a view, in one form. Several threads may use it."""

    def __init__(self, view: View[Any], form: str) -> None:
        self.view, self.form = view, form
        self.encoding = (sys.stdout.encoding or "utf-8") if form in DRAWINGS else "utf-8"

    def render(self, names: Names, block: BoardBlock, answers: AnswerBlock) -> Text:
        """Return the answers for a block in print."""
        from enumerator.text.columns import text, write_lines

        if self.form == "number" and (numbers := answers.number()):
            return Text(write_lines(answers.boards, [*numbers, text(b"\n")]))
        if self.form in ("json", "csv") and answers.has_columns and not names.listed and answers.boards:
            columns = json_columns(names, answers) if self.form == "json" else csv_columns(names, answers)
            return Text(write_lines(answers.boards, columns))
        named = enumerate(names.take(answers.boards))
        rendered = (self.view.render(name, answers.answer(at), self.form) for at, name in named)
        lines = (f"{text}\n" for text in rendered if text or self.form != "csv")  # a table may have no rows of it
        return Text("".join(lines).encode(self.encoding, "backslashreplace"))


# ------------------------------------------------------------------------------------------------- JSON


def json_columns(names: Names, answers: AnswerBlock) -> list[Column]:
    """Return the columns of lines of JSON."""
    import json

    from enumerator.text import columns

    sample, pieces = answers.answer(0), Pieces(f'{{"source": "{json.dumps(names.source)[1:-1]}:')
    pieces.add([columns.counter(names.line)], '"')
    for field in answers.fields:
        if not field.name:
            continue
        before = f', "{field.name}": '
        if field.column is same:
            value = field.value(sample)
            pieces.text += "" if value is ABSENT else before + json.dumps(value)
            continue
        quote = '"' if field.is_text else ""
        made = field.column(answers, field)
        if field.shown:
            shown = field.shown(answers)
            made = [
                columns.choice(shown, [b"", f"{before}{quote}".encode(), b""]),
                *made,
                columns.choice(shown, [b"", quote.encode(), b""]),
            ]
            pieces.add(made)
        else:
            pieces.text += before + quote
            pieces.add(made, quote)
    return pieces.end("}\n")


class Pieces:
    """Columns, and the texts between them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.columns: list[Column] = []

    def add(self, columns: Sequence[Column], after: str = "") -> None:
        """Add columns, after the text so far."""
        self.columns += [*self._text(), *columns]
        self.text = after

    def end(self, text: str) -> list[Column]:
        """Return all columns, with a last text."""
        self.text += text
        return [*self.columns, *self._text()]

    def _text(self) -> list[Column]:
        from enumerator.text import columns

        return [columns.text(self.text.encode(errors="backslashreplace"))] if self.text else []


# -------------------------------------------------------------------------------------------------- CSV


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


def csv_columns(names: Names, answers: AnswerBlock) -> list[Column]:
    """Return the columns of lines of CSV. The columns of fields need no quotes."""
    from enumerator.text import columns

    name = f"{names.source}:"
    source = write_row([name])
    is_quoted = source != name
    sample, pieces = answers.answer(0), Pieces(source[:-1] if is_quoted else source)
    pieces.add([columns.counter(names.line)], '"' if is_quoted else "")
    for field in answers.fields:
        if not field.name or field.columns == ():
            continue
        if field.column is same:
            facts = {field.name: field.value(sample)}
            for column in field.columns or (field.name,):
                text = "" if facts[field.name] is ABSENT else find_field(column, facts)
                pieces.text += "," + write_row([text]).removeprefix('""')
        else:
            pieces.text += ","
            pieces.add(field.column(answers, field))
    return pieces.end(",\n")
