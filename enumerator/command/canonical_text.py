"""Canonical forms of blocks of boards in print, and blocks of boards with the digests of their classes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board.canonical import forms_of
from enumerator.command.chunks import Names, Text
from enumerator.command.views import FACT_FORMS
from enumerator.questions.blocks import TURN_SECONDS
from enumerator.questions.canonical import BOARDS_A_CALL, DIGEST_BYTES, canonical, digest_of
from enumerator.run.progress import Stopped

if TYPE_CHECKING:
    from threading import Event

    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.command.views import View
    from enumerator.engines.blocks import Begun, BoardBlock, HardBoard
    from enumerator.questions.canonical import CanonicalAnswer
    from enumerator.run.progress import Progress


class FormText:
    """A question about forms, answered for some boards at a time: a `ChunkQuestion` without hard boards."""

    at_work: Progress | None = None

    def ask(self, names: Names, block: BoardBlock, stop: Event) -> tuple[Text, int, Begun | None]:
        written, done, end = list[bytes](), 0, perf_counter() + TURN_SECONDS

        def look() -> None:
            if stop.is_set():
                raise Stopped

        while done < block.boards and perf_counter() < end:
            look()
            some = block.skip(done).take(BOARDS_A_CALL)
            written.append(self.write(names.skip(done), some, look))
            done += some.boards
        return Text(b"".join(written)), done, None

    def write(self, names: Names, block: BoardBlock, look: Callable[[], object] | None = None) -> bytes:
        """Return the answers for a few boards. `look` is called often, and may raise an error."""
        raise NotImplementedError

    def ask_hard(self, name: str, hard: HardBoard, stop: Event) -> Text:
        return Text(self.write(Names(listed=(name,)), hard_block(hard.board)))


def hard_block(board: Board) -> BoardBlock:
    """Return the block of one board."""
    from enumerator.engines.blocks import BoardBlock

    return BoardBlock(board.shape, memoryview(board.cells), board.allowed)


class CanonicalText(FormText):
    """The form of each board: alone, or with its facts."""

    def __init__(self, view: View[CanonicalAnswer], request: Request) -> None:
        self.view, self.form = view, request.form

    def write(self, names: Names, block: BoardBlock, look: Callable[[], object] | None = None) -> bytes:
        if self.form == "number":
            return "".join(f"{form}\n" for form in forms_of(block.shape, block.cells, block.allowed, look)).encode()
        form = self.form if self.form in FACT_FORMS else "text"
        boards = map(block.board, range(block.boards))
        lines = (
            f"{self.view.render(name, canonical(board, look), form)}\n"
            for name, board in zip(names.take(block.boards), boards, strict=True)
        )
        return "".join(lines).encode(errors="backslashreplace")


class DistinctText(FormText):
    """Each board with the digest of its class. The view prints those that are the first of theirs."""

    def write(self, names: Names, block: BoardBlock, look: Callable[[], object] | None = None) -> bytes:
        packed = []
        forms = forms_of(block.shape, block.cells, block.allowed, look)
        for at, (name, form) in enumerate(zip(names.take(block.boards), forms, strict=True)):
            facts = {"source": name, "board": str(block.board(at)), "shape": str(block.shape)}
            packed += [digest_of(form).hex().encode(), json.dumps(facts).encode(), b"\n"]
        return b"".join(packed)


def unpack_boards(packed: bytes) -> Iterator[tuple[bytes, dict[str, object]]]:
    """Yield the digest and the facts of each board."""
    for line in packed.splitlines():
        yield bytes.fromhex(line[: 2 * DIGEST_BYTES].decode()), json.loads(line[2 * DIGEST_BYTES :])
