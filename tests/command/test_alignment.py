"""One line of output for each board of the input, whatever stands between the boards and can be read or not.

The reader says which boards a file has, and where. The command has to say the same in every form: as
counts, as verdicts and in JSON; on one core and on two; from files, from pipes, and in pieces of any size.
"""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path

import pytest
from support.boards import PUZZLE, SOLVED, regular
from support.cases import slow_after
from support.processes import Run, run_python

from enumerator.board import Board, Shape, files
from enumerator.board.reading import BoardError, Entry
from enumerator.board.reading.parser import TITLE_IN_LIST
from enumerator.command import inputs as reading
from enumerator.questions import many
from enumerator.run.pacing import BatchPacing

TWELVE = str(regular(Shape(3, 4)))
BOARDS = {
    PUZZLE: ("1", "unique"),
    SOLVED: ("1", "unique"),
    TWELVE: ("1", "unique"),
    "." * 81: ("2+", "multiple"),
    "." * 144: ("2+", "multiple"),
    "5...5" + "." * 76: ("0", "none"),
}
"""Boards by what is printed of them: with --limit 2, and as a verdict."""

FACTS = {Board.parse(text): facts for text, facts in BOARDS.items()}
NOT_BOARDS = [PUZZLE[:40] + "!" + PUZZLE[41:], "!" * 81, PUZZLE[:-1], "!" * 144, "no board at all!"]
BETWEEN = ["", "# a remark", "---+---+---", "   "]
SMALL = BatchPacing(chunk=7, first_chunk=2)
"""Many chunks."""


def grid(text: str) -> str:
    size = Board.parse(text).shape.size
    return "\n".join(text[start : start + size] for start in range(0, len(text), size))


def make_text(rng: random.Random, parts: int) -> str:
    """Return a text of boards in lines and grids, of lines that are no boards, of remarks and empty lines."""
    lines = []
    for _ in range(parts):
        kind = rng.random()
        if kind < 0.6:
            lines += [rng.choice(list(BOARDS))] * rng.choice([1, 1, 1, 30])
        elif kind < 0.8:
            lines += [rng.choice(NOT_BOARDS)] * rng.choice([1, 1, 12])
        elif kind < 0.9:
            lines += ["", grid(rng.choice(list(BOARDS))), ""]
        else:
            lines.append(rng.choice(BETWEEN))
    return rng.choice(["\n", "\n", "\r\n"]).join([*lines, ""])


@pytest.fixture(params=slow_after(3, range(8)))
def inputs(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Return names of files with random texts, of empty and of missing files, and of folders."""
    rng = random.Random(f"alignment {request.param}")
    names = []
    for number in range(rng.randint(1, 5)):
        kind = rng.random()
        names.append(f"{number}.txt")
        if kind < 0.7:
            (tmp_path / names[-1]).write_bytes(make_text(rng, rng.choice([1, 5, 60])).encode())
        elif kind < 0.8:
            (tmp_path / names[-1]).mkdir()
        elif kind < 0.9:
            (tmp_path / names[-1]).touch()
    return names


def read_all(names: list[str]) -> list[Entry]:
    return [entry for name in names for entry in files.open_boards(name)]


def expected_of(entries: list[Entry], fact: int) -> list[str]:
    return ["invalid" if isinstance(board, BoardError) else FACTS[board][fact] for _, _, board, _ in entries]


@pytest.fixture
def ask_in_pieces(ask: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process, with small pieces of everything."""
    monkeypatch.setattr(files, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(reading, "ENTRIES_A_CHUNK", 5)
    monkeypatch.setattr(many, "ALONE_BYTES", 300)
    return partial(ask, batch_pacing=SMALL)


@pytest.mark.parametrize("cores", ["1", "2"])
def test_there_is_one_line_for_each_board(ask_in_pieces: Run, inputs: list[str], cores: str) -> None:
    entries = read_all(inputs)
    counts, verdicts, sources = expected_of(entries, 0), expected_of(entries, 1), [entry.name for entry in entries]
    errors = [str(entry.content) for entry in entries if isinstance(entry.content, BoardError)]
    forms = [["--quiet"], ["--json"], ["--classify"], ["--classify", "--quiet"], ["--classify", "--json"]]
    for form in forms:
        more = [] if "--classify" in form else ["--limit", "2", "--backend", "threads"]
        done = ask_in_pieces(*inputs, *form, *more, "--cores", cores)
        assert without_remarks(done.stderr) == [f"enumerate: {error}" for error in errors]
        assert done.returncode == (2 if errors else 0)
        lines = done.stdout.splitlines()
        if "--json" not in form:
            assert lines == (verdicts if "--classify" in form else counts)
            continue
        answers = [json.loads(line) for line in lines]
        assert [answer["source"] for answer in answers] == sources
        assert [answer["error"] for answer in answers if answer.get("verdict") == "invalid"] == errors
        if "--classify" in form:
            assert [answer["verdict"] for answer in answers] == verdicts
        else:
            assert [in_print(answer) for answer in answers] == counts


def in_print(answer: dict[str, object]) -> object:
    """Return what --quiet prints of an answer."""
    if answer["verdict"] == "invalid":
        return answer["verdict"]
    return f"{answer['solutions']}{'' if answer['complete'] else '+'}"


def without_remarks(errors: str) -> list[str]:
    """Return the messages but those that say how a text was read."""
    return [line for line in errors.splitlines() if not line.endswith(TITLE_IN_LIST)]


PROGRAM = """
import sys
from enumerator.command.main import main
from enumerator.run.pacing import BatchPacing
sys.exit(main(batch_pacing=BatchPacing(worth_seconds=-1.0, pipe_seconds=0.0, largest_chunk=20, chunk=50)))
"""


@pytest.mark.parametrize("form", slow_after(1, [["--quiet", "--limit", "2"], ["--classify"], ["--classify", "--json"]]))
@pytest.mark.parametrize("source", ["-", "mixed.txt"])
def test_processes_and_pipes_keep_the_lines_too(tmp_path: Path, form: list[str], source: str) -> None:
    text = make_text(random.Random("processes"), 150)
    (tmp_path / "mixed.txt").write_bytes(text.encode())
    entries = read_all([str(tmp_path / "mixed.txt")])
    done = run_python(PROGRAM, source, "absent.txt", *form, "--cores", "2", stdin=text, cwd=tmp_path)
    expected = [*expected_of(entries, "--classify" in form), "invalid"]
    lines = done.stdout.splitlines()
    if "--json" in form:
        answers = [json.loads(line) for line in lines]
        name = "<stdin>" if source == "-" else source
        assert [answer["source"] for answer in answers] == [
            *(f"{name}:{entry.line}" for entry in entries),
            "absent.txt",
        ]
        lines = [answer["verdict"] for answer in answers]
    assert lines == expected
    errors = without_remarks(done.stderr)
    assert (done.returncode, len(errors)) == (2, expected.count("invalid")), errors


def test_a_name_is_a_file_and_a_line(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text(f"# a grid\n\n{grid(PUZZLE)}\n")
    (tmp_path / "line.txt").write_text(PUZZLE)
    for options in (["--json"], ["--classify", "--json"], ["--list", "--json"], ["--candidates", "--json"]):
        lines = ask("grid.txt", "line.txt", "-", *options, stdin=grid(PUZZLE)).stdout.splitlines()
        assert [json.loads(line)["source"] for line in lines] == ["grid.txt:3", "line.txt:1", "<stdin>:1"]
    titles = [line for line in ask("grid.txt", "line.txt").stdout.splitlines() if not line.startswith(" ")]
    assert titles == ["grid.txt:3", "line.txt:1"]


def test_the_nth_solution_has_its_line_and_lists_have_none(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "mixed.txt").write_text(f"{PUZZLE}\n{'!' * 81}\n{SOLVED}\n")
    arguments = ["mixed.txt", "absent.txt", "mixed.txt"]
    found = ask(*arguments, "--nth", "0").stdout.split()
    assert found == [SOLVED, "invalid", SOLVED, "invalid", SOLVED, "invalid", SOLVED]
    for options in (["--list"], ["--sample", "1"]):
        done = ask(*arguments, *options)
        assert (done.returncode, done.stdout.split()) == (2, [SOLVED] * 4)
        assert done.stderr.count("\n") == 3
        answers = [json.loads(line) for line in ask(*arguments, *options, "--json").stdout.splitlines()]
        assert [answer.get("verdict") for answer in answers] == [
            None,
            "invalid",
            None,
            "invalid",
            None,
            "invalid",
            None,
        ]
    ask(*arguments, "--nth", "0", "--output", "found.txt")
    assert (tmp_path / "found.txt").read_text().count("\n") == 7


def test_a_checkpoint_and_its_file_are_left_alone_by_a_board_that_cannot_be_read(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("a list that was written before\n")
    done = ask("absent.txt", "--list", "--json", "--output", "all.txt", "--checkpoint", "run.db")
    assert (done.returncode, done.stderr) == (2, "enumerate: absent.txt: No such file or directory\n")
    assert (tmp_path / "all.txt").read_text() == "a list that was written before\n"
    assert not (tmp_path / "run.db").exists()


def test_text_and_drawings_name_only_boards_that_have_an_answer(ask: Run, tmp_path: Path) -> None:
    """Each of them begins with its source, so nothing has to stand for the others."""
    (tmp_path / "mixed.txt").write_text(f"{PUZZLE}\n{'!' * 81}\n{SOLVED}\n")
    done = ask("mixed.txt")
    assert [line for line in done.stdout.splitlines() if not line.startswith(" ")] == ["mixed.txt:1", "mixed.txt:3"]
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
