"""The verdicts on blocks of boards in print."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from enumerator.board import columns
from enumerator.board.columns import write_lines
from enumerator.command.chunks import LeftBoard, Names, Text
from enumerator.command.json_lines import json_columns, solution_columns, source_columns
from enumerator.command.views import DRAWINGS
from enumerator.command.views.classify import named_line
from enumerator.questions.classify import VERDICTS, BoardCodes, Classifier, make_answer

if TYPE_CHECKING:
    from threading import Event

    from enumerator.command.request import Request
    from enumerator.engines.blocks import Begun, BoardBlock, HardBoard
    from enumerator.run.progress import Progress


class ClassifyText:
    """The verdict on each board: as a line of JSON, as a bare word or, on a terminal, after the name of the board."""

    def __init__(self, request: Request) -> None:
        self.form, self.time_limit = request.form, request.options.time_limit
        self.classifier = Classifier(request.plan, self.form == "json", self.time_limit)
        self._lines = [f"{verdict}\n".encode() for verdict in VERDICTS]

    @property
    def at_work(self) -> Progress | None:
        return self.classifier.at_work

    def ask(self, names: Names, block: BoardBlock, stop: Event) -> tuple[Text, int, Begun | None]:
        found, boards, begun = self.classifier.ask(block, stop)
        if self.form in DRAWINGS:
            return Text(self._name(names, found)), boards, begun
        if self.form != "json":
            return Text(write_lines(boards, [columns.choice(found.codes, self._lines)])), boards, begun
        if names.listed:
            return Text(self._render(names, found).encode()), boards, begun
        varying = {
            "source": source_columns(names),
            "verdict": [columns.choice(found.codes, [verdict.value.encode() for verdict in VERDICTS])],
        }
        sample = {"source": "", **make_answer(block.shape, 0).to_dict()}
        made = json_columns(sample, varying, solution_columns(found.codes, found.solutions, block.shape))
        return Text(write_lines(boards, made)), boards, begun

    def _name(self, names: Names, found: BoardCodes) -> bytes:
        named = zip(names.take(len(found.codes)), found.codes, strict=True)
        text = "".join(f"{named_line(name, VERDICTS[code].value)}\n" for name, code in named)
        return text.encode(sys.stdout.encoding or "utf-8", "backslashreplace")

    def _render(self, names: Names, found: BoardCodes) -> str:
        import json

        lines, size = [], found.shape.cells
        for at, (name, code) in enumerate(zip(names.take(len(found.codes)), found.codes, strict=True)):
            solution = bytes(found.solutions[at * size : (at + 1) * size])
            answer = make_answer(found.shape, code, solution, self.time_limit)
            lines.append(json.dumps({"source": name, **answer.to_dict()}) + "\n")
        return "".join(lines)

    def ask_hard(self, name: str, hard: HardBoard, stop: Event) -> Text | LeftBoard:
        found = self.classifier.ask_hard(hard, stop)
        if self.form in DRAWINGS:
            return Text(self._name(Names(listed=(name,)), found))
        if self.form != "json":
            return Text(self._lines[found.codes[0]])
        return Text(self._render(Names(listed=(name,)), found).encode())
