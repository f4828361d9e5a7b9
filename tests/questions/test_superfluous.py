"""Superfluous clues: those without which a board is still unique."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from support.boards import CONTRADICTION, EMPTY, NINE, PUZZLE, SOLVED, board, full_board, shuffle, transpose

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.questions.superfluous import SuperfluousAnswer, superfluous
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

ALONE = Plan(1, pool=None)

UNIQUE = ["1a", "4x4-unique", "6x6-unique", "16x16-unique"]


def one_by_one(board: Board) -> tuple[tuple[int, int], ...]:
    """Return the superfluous clues: each clue is removed, and the board classified."""
    clues = [(row, column) for row, digits in enumerate(board) for column, digit in enumerate(digits) if digit]
    return tuple(cell for cell in clues if en.classify(board.without_clue(*cell)) == "unique")


def all_cells(board: Board) -> tuple[tuple[int, int], ...]:
    size = board.shape.size
    return tuple((row, column) for row in range(size) for column in range(size))


def unique_board(shape: Shape, rng: random.Random) -> Board:
    """Return a board with one solution and, most of the time, some superfluous clues."""
    made = full_board(shape, rng)
    for cell in rng.sample(range(shape.cells), 2 * shape.cells // 3):
        without = made.with_cell(cell, 0)
        made = without if en.classify(without) == "unique" else made
    return made


@pytest.mark.parametrize("name", UNIQUE)
def test_they_are_the_clues_without_which_the_board_is_unique(name: str) -> None:
    ours = board(name)
    answer = superfluous(ours, Plan())
    assert answer.complete
    assert answer.cells == one_by_one(ours)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE, Shape(2, 5)], ids=str)
def test_so_they_are_on_random_boards(shape: Shape) -> None:
    rng = random.Random(str(shape))
    sizes = []
    for _ in range(10):
        made = unique_board(shape, rng)
        answer = superfluous(made, ALONE)
        assert answer.cells == one_by_one(made)
        sizes.append(len(answer.cells))
    assert max(sizes) > 0


def test_their_number_does_not_change_when_the_board_is_rearranged() -> None:
    rng, ours = random.Random(1), Board(PUZZLE)
    number = len(superfluous(ours, ALONE).cells)
    for other in (transpose(ours), shuffle(ours, rng), shuffle(ours, rng)):
        assert len(superfluous(other, ALONE).cells) == number


def test_pencil_marks_may_make_a_clue_superfluous() -> None:
    solved = Board(SOLVED)
    masks = [1 << digit - 1 for digit in solved.cells]
    masks[0] |= 0b1  # r1c1 allows 1 and 5, and is a 5 only because of the clues
    marked = Board.from_allowed("3x3", masks)
    assert marked.restricted_cells == 1
    assert superfluous(marked, ALONE).cells == all_cells(marked)[1:]


def test_a_full_board_has_only_superfluous_clues() -> None:
    assert superfluous(Board(SOLVED), ALONE).cells == all_cells(Board(SOLVED))


def test_the_dictionary_names_places_and_symbols() -> None:
    answer = superfluous(Board(PUZZLE), ALONE)
    facts = answer.to_dict()
    clues = facts["clues"]
    assert isinstance(clues, list)
    assert facts["complete"] is True
    assert facts["judged"] == 30
    assert [divmod(clue["index"], 9) for clue in clues] == list(answer) == list(answer.cells)
    assert all(answer.board[cell] for cell in answer)
    for clue in clues:
        row, column = divmod(clue["index"], 9)
        assert clue["cell"] == f"r{row + 1}c{column + 1}"
        assert clue["symbol"] == PUZZLE[clue["index"]]


@pytest.mark.parametrize(("text", "error"), [(EMPTY, en.NotUniqueError), (CONTRADICTION, en.NoSolutionError)])
def test_a_board_without_a_single_solution_has_none(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        superfluous(Board(text), ALONE)


def test_it_can_be_stopped_and_tells_what_it_knows() -> None:
    seen: list[float] = []

    def watch(progress: Progress) -> None:
        seen.append(progress.share or 0.0)
        if len(seen) == 10:
            raise en.Stopped

    with pytest.raises(en.Stopped) as stopped:
        superfluous(Board(PUZZLE), ALONE, watch=watch)
    answer = stopped.value.answer
    assert isinstance(answer, SuperfluousAnswer)
    assert seen == sorted(seen)
    assert answer.judged == 10
    assert not answer.complete
    assert answer.cells == tuple(cell for cell in superfluous(Board(PUZZLE), ALONE).cells if cell in answer.cells)


@pytest.mark.slow
def test_after_its_time_it_tells_what_it_knows() -> None:
    hard = board("25x25-unique")
    answer = superfluous(hard, ALONE, time_limit=0.5)
    assert 0 < answer.judged < hard.shape.cells - hard.empty_cells
    assert not answer.complete
    assert answer.seconds < 5
    with pytest.raises(en.OutOfTimeError):
        superfluous(hard, ALONE, time_limit=1e-9)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1... ..2. .3.. ...4", "none of 4 clues"),
        ("1... ..2. .3.. 2..4", "1 of 5 clues: r4c1"),
        ("1234 3412 2143 432.", "15 of 15 clues: r1c1, r1c2, r1c3, r1c4, r2c1, …"),
    ],
)
def test_the_answer_names_some_of_them(text: str, shown: str) -> None:
    answer = en.superfluous(text)
    assert repr(answer) == f"<SuperfluousAnswer: {shown}>"
    assert repr(replace(answer, cells=(), judged=3)) == repr(answer).partition(":")[0] + (
        f": none of the first 3 of {shown.split(' of ')[1].partition(':')[0]}>"
    )
