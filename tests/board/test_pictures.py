"""Pictures of boards: what they show, to whom, and that they need nothing else."""

import random
import re
from xml.etree import ElementTree

import pytest
from support.boards import COMMON_SHAPES, PUZZLE, SOLVED, random_board
from support.pictures import luminance

import enumerator
from enumerator.board import Board, Shape
from enumerator.board.heat_map import SCALE, is_bright, shade_of
from enumerator.board.pictures import (
    board_svg,
    candidates_page,
    candidates_svg,
    describe_share,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_every_candidate_has_its_exact_number(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"picture {shape}"), 50)
    counts = enumerator.candidates(board).counts
    total = sum(counts[0])
    picture = ElementTree.fromstring(candidates_svg(board, counts, "a board"))
    tips = {found for title in picture.iter(f"{SVG}title") if (found := title.text or "").startswith("r")}
    expected = set()
    for cell, row in enumerate(counts):
        place = f"r{cell // shape.size + 1}c{cell % shape.size + 1}"
        for digit, count in enumerate(row):
            symbol = shape.symbols[digit]
            if board.cells[cell] == digit + 1:
                expected.add(f"{place} = {symbol}: a clue")
            elif count == total and not board.cells[cell]:
                expected.add(f"{place} = {symbol}: in all solutions")
            elif count and not board.cells[cell]:
                share = describe_share(count / total)
                expected.add(f"{place} = {symbol}: {count:,} of {total:,} solutions ({share})")
    assert tips == expected


@pytest.mark.parametrize("text", [PUZZLE, "." * 16, "11" + "." * 14])
def test_a_picture_needs_nothing_else_and_suits_light_and_dark_pages(text: str) -> None:
    board = Board.parse(text)
    for picture in (
        candidates_svg(board, enumerator.candidates(board).counts, "<a & b>", ["3 < 4", "more"]),
        board_svg(board, title="<a & b>"),
    ):
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img"
        assert "<a & b>" in (root.findtext(f"{SVG}title") or "")
        assert root.findtext(f"{SVG}desc")
        assert "prefers-color-scheme:dark" in picture
        assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
        assert not re.search(r"<(script|image|link|use)|url\(|@import", picture)


def test_a_page_holds_the_picture_and_a_table() -> None:
    board = Board.parse("12..............")
    counts = enumerator.candidates(board).counts
    page = candidates_page(board, counts, "<it>", ["6 solutions"])
    assert candidates_svg(board, counts, "<it>", ["6 solutions"]) in page
    cells = [int(number) for number in re.findall(r"<td>([\d,]+)</td>", page)]
    assert cells == [number for row in counts for number in row]
    assert "<title>Candidates of &lt;it&gt;</title>" in page
    assert re.findall(r"https?://[^\"]*", page) == ["http://www.w3.org/2000/svg"]


def test_clues_and_found_digits_of_a_board_are_told_apart() -> None:
    root = ElementTree.fromstring(board_svg(Board.parse(PUZZLE), Board.parse(SOLVED)))
    drawn = [(text.get("class"), text.text) for text in root.iter(f"{SVG}text")]
    expected = ["given" if clue != "." else "found" for clue in PUZZLE]
    assert drawn == list(zip(expected, SOLVED, strict=True))


def test_text_is_readable_on_every_shade() -> None:
    for colour in SCALE:
        contrast = (luminance(colour) + 0.05) / 0.05 if is_bright(colour) else 1.05 / (luminance(colour) + 0.05)
        assert contrast >= 4.5


def test_dark_is_frequent_by_tenths_of_the_solutions() -> None:
    lights = [luminance(colour) for colour in SCALE]
    assert lights == sorted(set(lights), reverse=True)
    total = 10**40  # a float cannot tell the shares below apart
    for step, colour in enumerate(SCALE, 1):
        assert shade_of(step * total // 10, total) == colour, "up to that many tenths"
        assert shade_of((step - 1) * total // 10 + 1, total) == colour


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.77, "77 %"), (0.5, "50 %"), (0.9999, "99.9 %"), (0.002, "0.2 %"), (1e-9, "less than 0.01 %"), (1.0, "99.9 %")],
)
def test_a_share_is_in_percent(share: float, text: str) -> None:
    assert describe_share(share) == text
