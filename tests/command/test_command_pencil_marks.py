"""The command with boards that have pencil marks: lines with a symbol for each digit of each cell."""

from __future__ import annotations

import json
import os
import random
import signal
from pathlib import Path

import pytest
from support.boards import NINE, PUZZLE, SOLVED, board, random_board
from support.cases import slow_after
from support.ledgers import count_on, facts, is_sound, is_written, restless_plan, said_of
from support.marks import filtered, restrict, restricted_board
from support.processes import Run, assert_mistake, started, wait_for

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.engines import contraction
from enumerator.run.pacing import BatchPacing


def one_mark(plain: Board) -> Board:
    """Return a board with a mark: the first empty cell with several solutions allows all digits but one of them."""
    counts = en.candidates(plain).counts
    cell = next(cell for cell, row in enumerate(counts) if sum(number > 0 for number in row) > 1)
    digit = next(digit for digit, number in enumerate(counts[cell]) if number)
    masks = [511] * 81
    masks[cell] ^= 1 << digit
    return Board.from_cells(NINE, plain.cells, masks)


def by_contraction(marked: Board) -> int:
    """Count a board with one restricted cell: the sum over its digits, which no pencil mark takes part in."""
    (cell,) = (cell for cell, mask in enumerate(marked.allowed or ()) if not marked.cells[cell] and mask != 511)
    mask = (marked.allowed or ())[cell]
    plain = Board.from_cells(NINE, marked.cells)
    return sum(contraction.count(plain.with_cell(cell, digit)) for digit in range(1, 10) if mask >> (digit - 1) & 1)


@pytest.mark.parametrize("name", slow_after(0, ["2c", "1c"]))
def test_a_marked_board_counts_like_the_sum_over_its_digits(ask: Run, name: str) -> None:
    marked = one_mark(board(name))
    Path("board.txt").write_text(f"{marked}\n")
    done = ask("board.txt", "--json", "--verify")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["solutions"]) == (0, str(by_contraction(marked)))
    assert (answer["engine"], answer["verified"]["agrees"]) == ("search", True)
    assert answer["search_space"] == str(marked.combinations)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), NINE], ids=str)
def test_every_question_is_answered_for_the_allowed_solutions(ask: Run, tmp_path: Path, shape: Shape) -> None:
    plain, marked = restricted_board(shape, random.Random(f"questions {shape}"), 100)
    (tmp_path / "board.txt").write_text(f"{marked}\n")
    asked = ("board.txt", "--shape", str(shape))
    expected = sorted(str(Board.from_cells(shape, cells)) for cells in filtered(plain, marked))
    assert ask(*asked, "--quiet").stdout == f"{len(expected)}\n"
    listed = ask(*asked, "--list").stdout.split()
    assert sorted(listed) == expected
    assert ask(*asked, "--nth", "0").stdout.split() == listed[:1]
    assert set(ask(*asked, "--sample", "5", "--seed", "1").stdout.split()) <= set(expected)
    assert json.loads(ask(*asked, "--candidates", "--json").stdout)["solutions"] == str(len(expected))
    verdict = ask(*asked, "--classify").stdout
    assert verdict == ("unique\n" if len(expected) == 1 else "multiple\n")


def test_an_engine_that_does_not_take_marks_is_refused(ask: Run) -> None:
    Path("board.txt").write_text(f"{one_mark(board('1c'))}\n")
    for question in (
        [],
        ["--list", "--output", "list.txt"],
        ["--candidates"],
        ["--estimate"],
        ["--verify"],
    ):
        done = ask("board.txt", "--engine", "contraction", *question)
        assert_mistake(done, "the engine contraction does not take pencil marks: use the search (--engine search)")


def test_a_cell_without_an_allowed_digit_is_an_answer(ask: Run) -> None:
    Path("board.txt").write_text("." * 9 + "123456789" * 80 + "\n")
    answer = json.loads(ask("board.txt", "--json").stdout)
    assert (answer["solutions"], answer["conflicts"]) == ("0", ["r1c1 has no allowed digit"])


def test_marked_and_plain_boards_of_a_file_are_answered_in_order(ask: Run) -> None:
    rng = random.Random("a file")
    pairs = [restricted_board(NINE, rng, 4) for _ in range(10)]
    Path("boards.txt").write_text("".join(f"{plain}\n{marked}\n" for plain, marked in pairs) + f"{PUZZLE}\n{SOLVED}\n")
    counts = [len(filtered(plain, each)) for plain, marked in pairs for each in (plain, marked)] + [1, 1]
    assert [int(line) for line in ask("boards.txt", "--quiet").stdout.split()] == counts
    verdicts = ["unique" if count == 1 else "multiple" for count in counts]
    assert ask("boards.txt", "--classify").stdout.split() == verdicts
    found = [json.loads(line) for line in ask("boards.txt", "--classify", "--json").stdout.splitlines()]
    assert [each["verdict"] for each in found] == verdicts
    assert all(en.count(Board.parse(each["solution"])) == 1 for each in found if each["verdict"] == "unique")


def test_workers_of_a_batch_get_the_marks(tmp_path: Path) -> None:
    rng = random.Random("a batch")
    boards = [restricted_board(Shape(2, 2), rng) for _ in range(40)]
    (tmp_path / "boards.txt").write_text("".join(f"{marked}\n" for _, marked in boards))
    program = f"""
import sys
from enumerator.command.main import main
from enumerator.run.pacing import BatchPacing
pacing = {BatchPacing(first_boards=1, probe_boards=1, worth_seconds=-1.0, chunk_seconds=0.0001)!r}
sys.exit(main(["boards.txt", "--shape", "2x2", "--quiet", "--cores", "2"], batch_pacing=pacing))
"""
    with started(program=program, cwd=tmp_path) as process:
        shown, said = process.communicate()
    assert [int(line) for line in shown.split()] == [len(filtered(plain, marked)) for plain, marked in boards], said


# ------------------------------------------------------------------------------------------------- ledgers


def test_the_ledger_of_a_marked_board_is_audited(tmp_path: Path) -> None:
    rng, path = random.Random("audit"), tmp_path / "ledger"
    for shape in (Shape(2, 3), NINE):
        plain = random_board(shape, rng, 3_000)
        marked = restrict(plain, rng, 0.1)
        while not (marked.allowed and filtered(plain, marked)):
            marked = restrict(plain, rng, 0.1)
        path.unlink(missing_ok=True)
        count_on(marked, restless_plan(), path)
        found = en.audit(path, share=1.0, seed=1)
        assert found.findings
        assert not found.wrong
        assert "contraction" not in found.ways
        assert found.board == str(marked)


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_killed_count_of_a_marked_board_is_resumed(command: Run, tmp_path: Path) -> None:
    path, marked = tmp_path / "ledger", one_mark(board("2e"))
    (tmp_path / "board.txt").write_text(f"{marked}\n")
    asked = ("board.txt", "--cores", "2", "--checkpoint", "ledger", "--quiet")
    with started(*asked, cwd=tmp_path) as process:
        assert wait_for(lambda: is_written(path) and said_of(path).totals.finished > 3)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert said_of(path).totals.open
    assert is_sound(path)
    assert facts(path)["board"] == str(marked)
    (tmp_path / "plain.txt").write_text(f"{board('2e')}\n")
    assert_mistake(command("plain.txt", *asked[1:]), "another board")
    done = command(*asked)
    assert (done.returncode, done.stdout) == (0, f"{by_contraction(marked)}\n")


def test_an_answer_says_that_marks_restrict_a_board(ask: Run) -> None:
    plain, masks = board("2b"), [511] * 81
    cell = plain.cells.index(0)
    masks[cell] = 0b111
    marked = str(Board.from_cells(plain.shape, plain.cells, tuple(masks)))
    assert "  pencil marks    restrict 1 cell\n" in ask("-", stdin=marked).stdout
    assert json.loads(ask("-", "--json", stdin=marked).stdout)["restricted_cells"] == 1
    assert "restricted_cells" not in json.loads(ask("-", "--json", stdin=str(plain)).stdout)
