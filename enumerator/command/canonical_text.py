"""Canonical forms of blocks of boards in print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from enumerator.command.views import FACT_FORMS, Text
from enumerator.questions.chunks import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enumerator.command.views import View
    from enumerator.engines.blocks import BoardBlock
    from enumerator.questions.canonical import CanonicalAnswer


class CanonicalText:
    """The form of each board: alone, or with its facts."""

    def __init__(self, view: View[CanonicalAnswer], form: str) -> None:
        self.view, self.form = view, form

    def render(self, names: Names, block: BoardBlock, found: Sequence[Any]) -> Text:
        """Return the forms of a block in print."""
        if self.form == "number":
            return Text("".join(f"{form}\n" for form in found).encode())
        form = self.form if self.form in FACT_FORMS else "text"
        named = zip(names.take(len(found)), found, strict=True)
        lines = (f"{self.view.render(name, answer, form)}\n" for name, answer in named)
        return Text("".join(lines).encode(errors="backslashreplace"))
