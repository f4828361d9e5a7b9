"""The rules by which a board is solved step by step: an example of each by hand, and that none is overlooked."""

from __future__ import annotations

import random

from support.boards import with_clues

from enumerator.board import Board, Shape
from enumerator.questions.rules import Candidates, Conclusion
from enumerator.questions.steps import record_steps


def first_by(rule: str, asked: Board) -> Conclusion:
    """Apply conclusions until one is by a rule, and return it."""
    now = Candidates(asked)
    while (found := now.conclude()) and found.rule != rule:
        now.apply(found)
    assert found is not None
    return found


def marked(marks: dict[str, str], shape: str = "3x3") -> Board:
    """Return the board without clues whose cells, named as in r1c1, allow only these digits."""
    own = Shape.parse(shape)
    masks = [(1 << own.size) - 1] * own.cells
    for name, digits in marks.items():
        row, column = map(int, name[1:].split("c"))
        masks[(row - 1) * own.size + column - 1] = sum(1 << (int(digit) - 1) for digit in digits)
    return Board.from_allowed(shape, masks)


def test_a_single_candidate_names_the_cells_that_hold_the_others() -> None:
    found = first_by("single candidate", Board("12345678." + "." * 72))
    assert found.text == "r1c9 is 9: its only candidate."
    assert (found.cells, found.digits, found.because) == ((8,), (9,), tuple(range(8)))


def test_a_single_place_names_the_unit_and_the_cells_that_exclude_the_others() -> None:
    rows = [
        "......1..",
        ".........",
        ".........",
        ".......1.",
        ".........",
        ".........",
        "1........",
        "...1.....",
        ".........",
    ]
    found = first_by("single place", Board("".join(rows)))
    assert found.text == "r9c9 is 1: the only place for 1 in box 9."
    assert (found.unit, found.because) == ("box 9", (6, 34, 54, 66))


def test_a_digit_of_a_box_may_be_confined_to_a_line() -> None:
    found = first_by("confined to a line", Board("." * 9 + "234......" + "567......" + "." * 54))
    assert found.text == "In box 1, 1 is confined to row 1: no 1 elsewhere in row 1."
    assert (found.cells, found.digits, found.because) == ((3, 4, 5, 6, 7, 8), (1,), (0, 1, 2))


def test_a_digit_of_a_line_may_be_confined_to_a_box() -> None:
    without = {f"r1c{column}": "23456789" for column in range(4, 10)}
    found = first_by("confined to a line", marked(without))
    assert found.text == "In row 1, 1 is confined to box 1: no 1 elsewhere in box 1."
    assert (found.cells, found.because) == ((9, 10, 11, 18, 19, 20), (0, 1, 2))


def test_two_cells_with_the_same_two_candidates_are_a_pair() -> None:
    found = first_by("pair", marked({"r1c1": "37", "r1c8": "37"}))
    assert found.text == "r1c1 and r1c8 hold 3 and 7: neither stands elsewhere in row 1."
    assert (found.cells, found.digits, found.because) == ((1, 2, 3, 4, 5, 6, 8), (3, 7), (0, 7))


def test_two_digits_with_the_same_two_places_are_a_pair() -> None:
    others = {f"r{row}c1": "1245689" for row in (1, 2, 4, 5, 6, 7, 8)}
    found = first_by("pair", marked(others))
    assert found.text == "3 and 7 need r3c1 and r9c1 in column 1: no other digit stands there."
    assert (found.cells, found.digits, found.because) == ((18, 72), (1, 2, 4, 5, 6, 8, 9), (18, 72))


def test_a_guess_is_in_a_cell_with_the_fewest_candidates() -> None:
    record = record_steps(marked({"r5c5": "268"}))
    guess = next(step for step in record if step.rule == "guess")
    assert guess.text == "Guess 1: r5c5 is 2, one of its 3 candidates."
    assert (guess.kind, guess.depth) == ("place", 1)


def test_rules_apply_until_none_is_left_before_a_guess() -> None:
    """A copy of the candidates before a guess, examined anew, has no conclusion either: nothing is overlooked."""
    rng = random.Random("nothing is overlooked")
    for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(4, 4), Shape(5, 5)):
        asked = with_clues(shape, shape.cells * 2 // 5, rng)
        now = Candidates(asked)
        while found := now.conclude():
            now.apply(found)
        masks = [mask or 1 << (digit - 1) for mask, digit in zip(now.masks, now.cells, strict=True)]
        anew = Candidates(Board.from_cells(shape, bytes(now.cells), masks))
        assert anew.masks == now.masks
        assert now.contradiction or anew.conclude() is None
