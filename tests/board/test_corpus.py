"""Boards as people have them: every file of tests/board/corpus is read as its author meant it.

Beside each file stands what it should be read as: a board per line, `error: PLACE: MESSAGE` for a
board that cannot be read, and `remark: MESSAGE` for what is said about the reading.
"""

from pathlib import Path

import pytest
from support.processes import Run

from enumerator.board import Board
from enumerator.board.files import open_boards
from enumerator.board.reading import BoardError, Entry

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(path for path in CORPUS.iterdir() if path.suffix != ".expected")


def expected(path: Path, kind: str = "") -> list[str]:
    """Return the lines that a file should be read as; with `kind`, those of errors or remarks."""
    lines = path.with_name(f"{path.name}.expected").read_text().splitlines()
    if kind:
        return [line.removeprefix(kind) for line in lines if line.startswith(kind)]
    return [line for line in lines if not line.startswith("remark: ")]


def written(entry: Entry) -> str:
    if isinstance(entry.content, Board):
        return str(entry.content)
    error = entry.content
    place = ":".join(str(part) for part in (error.line, error.column) if part is not None)
    return f"error: {place}: {error.message}" if place else f"error: {error.message}"


def test_the_corpus_is_large() -> None:
    assert len(FILES) >= 60
    assert {path.name for path in CORPUS.iterdir()} == {
        name for path in FILES for name in (path.name, f"{path.name}.expected")
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_as_its_author_meant_it(path: Path) -> None:
    entries = list(open_boards(str(path)))
    wanted = expected(path)
    read = [written(entry) for entry in entries]
    assert len(read) == len(wanted)
    for text, line in zip(read, wanted, strict=True):
        assert text.startswith(line) if line.startswith("error: ") else text == line
    assert [remark for entry in entries for remark in entry.remarks] == expected(path, "remark: ")
    for entry in entries:
        if isinstance(entry.content, Board):
            assert entry.name == f"{path}:{entry.line}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_the_same_with_its_shape(path: Path) -> None:
    entries = list(open_boards(str(path)))
    shapes = {entry.content.shape for entry in entries if isinstance(entry.content, Board)}
    if len(shapes) == 1 and not any(isinstance(entry.content, BoardError) for entry in entries):
        again = list(open_boards(str(path), shapes.pop()))
        assert [str(entry.content) for entry in again] == [str(entry.content) for entry in entries]


@pytest.mark.parametrize(
    "name",
    ["own-drawing-with-facts.txt", "euler-grids.txt", "kaggle.csv", "numpy-repr.txt", "fault-many-bad-lines.sdm"],
)
def test_the_command_answers_for_every_board_of_a_file(ask: Run, name: str) -> None:
    path = CORPUS / name
    done = ask("--classify", str(path))
    faults = expected(path, "error: ")
    assert done.stdout.split().count("unique") == len(expected(path)) - len(faults)
    assert done.stderr.count("\n") == len(faults)
    assert done.returncode == (2 if faults else 0)


@pytest.mark.parametrize("options", [["--classify"], ["--limit", "2", "--quiet"]], ids=" ".join)
@pytest.mark.parametrize("name", ["4x4-sixteen-lines.txt", "16x16-empty.txt"])
def test_the_command_says_once_how_it_read_a_file(ask: Run, name: str, options: list[str]) -> None:
    path = CORPUS / name
    done = ask(*options, str(path))
    (remark,) = expected(path, "remark: ")
    assert done.stderr == f"enumerate: {path}:1: {remark}\n"
    assert done.returncode == 0
