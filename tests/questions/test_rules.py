"""The rules by which a board is solved step by step: an example of each by hand, and that none is overlooked."""

from __future__ import annotations

import random
from itertools import combinations

from support.boards import with_clues

from enumerator.board import Board, Shape
from enumerator.questions.rule_patterns import fish, naked_subsets
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
    found = first_by("naked single", Board("12345678." + "." * 72))
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
    found = first_by("hidden single", Board("".join(rows)))
    assert found.text == "r9c9 is 1: the only place for 1 in box 9."
    assert (found.unit, found.because) == ("box 9", (6, 34, 54, 66))


def test_a_digit_of_a_box_may_be_confined_to_a_line() -> None:
    found = first_by("locked candidates", Board("." * 9 + "234......" + "567......" + "." * 54))
    assert found.text == "In box 1, 1 is confined to row 1: no 1 elsewhere in row 1."
    assert (found.cells, found.digits, found.because) == ((3, 4, 5, 6, 7, 8), (1,), (0, 1, 2))


def test_a_digit_of_a_line_may_be_confined_to_a_box() -> None:
    without = {f"r1c{column}": "23456789" for column in range(4, 10)}
    found = first_by("locked candidates", marked(without))
    assert found.text == "In row 1, 1 is confined to box 1: no 1 elsewhere in box 1."
    assert (found.cells, found.because) == ((9, 10, 11, 18, 19, 20), (0, 1, 2))


def test_two_cells_with_the_same_two_candidates_are_a_pair() -> None:
    found = first_by("naked pair", marked({"r1c1": "37", "r1c8": "37"}))
    assert found.text == "r1c1 and r1c8 hold 3 and 7: neither stands elsewhere in row 1."
    assert (found.cells, found.digits, found.because) == ((1, 2, 3, 4, 5, 6, 8), (3, 7), (0, 7))


def test_two_digits_with_the_same_two_places_are_a_pair() -> None:
    others = {f"r{row}c1": "1245689" for row in (1, 2, 4, 5, 6, 7, 8)}
    found = first_by("hidden pair", marked(others))
    assert found.text == "3 and 7 need r3c1 and r9c1 in column 1: no other digit stands there."
    assert (found.cells, found.digits, found.because) == ((18, 72), (1, 2, 4, 5, 6, 8, 9), (18, 72))


def test_three_cells_with_three_candidates_together_are_a_naked_triple() -> None:
    found = first_by("naked triple", marked({"r1c1": "37", "r1c5": "79", "r1c8": "39"}))
    assert found.text == "r1c1, r1c5 and r1c8 hold 3, 7 and 9: none of them stands elsewhere in row 1."
    assert (found.cells, found.digits, found.because) == ((1, 2, 3, 5, 6, 8), (3, 7, 9), (0, 4, 7))


def test_three_digits_with_three_places_together_are_a_hidden_triple() -> None:
    found = first_by("hidden triple", marked({f"r{row}c1": "124568" for row in (1, 2, 4, 5, 7, 8)}))
    assert found.text == "3, 7 and 9 need r3c1, r6c1 and r9c1 in column 1: no other digit stands there."
    assert (found.cells, found.digits, found.because) == ((18, 45, 72), (1, 2, 4, 5, 6, 8), (18, 45, 72))


def test_two_rows_with_the_same_two_places_of_a_digit_are_an_x_wing() -> None:
    others = {f"r{row}c{column}": "12346789" for row in (2, 7) for column in (2, 3, 4, 6, 7, 8, 9)}
    found = first_by("X-wing", marked(others))
    assert found.text == "X-wing: in rows 2 and 7, 5 stands in columns 1 and 5 only: no 5 elsewhere in these columns."
    assert (found.digits, found.because, found.unit) == ((5,), (9, 13, 54, 58), None)
    assert {cell % 9 for cell in found.cells} == {0, 4}
    assert {cell // 9 + 1 for cell in found.cells} == {1, 3, 4, 5, 6, 8, 9}


def test_three_columns_with_their_places_of_a_digit_in_three_rows_are_a_swordfish() -> None:
    places = {2: (1, 5), 5: (5, 9), 8: (1, 9)}  # rows of the digit 4 in these columns
    others = {
        f"r{row}c{column}": "12356789" for column, rows in places.items() for row in range(1, 10) if row not in rows
    }
    found = first_by("swordfish", marked(others))
    assert found.text == (
        "Swordfish: in columns 2, 5 and 8, 4 stands in rows 1, 5 and 9 only: no 4 elsewhere in these rows."
    )
    assert found.because == (1, 7, 37, 40, 76, 79)
    assert set(found.cells) == {9 * row + column for row in (0, 4, 8) for column in range(9) if column not in (1, 4, 7)}


def test_patterns_of_random_candidates_are_those_of_their_definitions() -> None:
    """Subsets and fish found by trying all choices of cells, digits and lines, as the definitions say."""
    rng = random.Random("patterns")
    for _ in range(30):
        masks = [rng.choice((3, 5, 6, 7, 9, 24, 31, 48, 511)) for _ in range(9)]
        for number in (2, 3):
            naked = {found.cells for found in naked_subsets(masks, range(9), number)}
            assert naked == {some for some in combinations(range(9), number) if is_naked(masks, some)}
        places = sum(1 << cell for cell in rng.sample(range(81), 24))
        for number in (2, 3):
            found = {(one.by_row, one.lines): one for one in fish(places, 9, number)}
            expected = {
                (by_row, lines): losing
                for by_row in (True, False)
                for lines in combinations(range(9), number)
                if (losing := fish_losses(places, by_row, lines))
            }
            assert {key: one.losing for key, one in found.items()} == expected


def is_naked(masks: list[int], cells: tuple[int, ...]) -> bool:
    held = {bit for cell in cells for bit in range(9) if masks[cell] >> bit & 1}
    others = (masks[cell] for cell in range(9) if cell not in cells)
    is_small = all(masks[cell].bit_count() >= 2 for cell in cells) and len(held) == len(cells)
    return is_small and any(mask >> bit & 1 for mask in others for bit in held)


def fish_losses(places: int, by_row: bool, lines: tuple[int, ...]) -> int:
    """Return the places that a digit loses by these lines; 0 if they are no fish."""
    cells = [divmod(cell, 9) if by_row else divmod(cell, 9)[::-1] for cell in range(81) if places >> cell & 1]
    crossing = {cross for line, cross in cells if line in lines}
    is_fish = len(crossing) == len(lines) and all(sum(one == line for one, _ in cells) >= 2 for line in lines)
    lost = [(line, cross) for line, cross in cells if cross in crossing and line not in lines] if is_fish else []
    return sum(1 << (9 * line + cross if by_row else 9 * cross + line) for line, cross in lost)


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
