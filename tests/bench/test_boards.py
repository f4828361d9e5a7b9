"""The boards of boards/ and their page, as `python -m bench boards` makes them."""

import random
import re
from argparse import Namespace
from pathlib import Path

import pytest
from support.boards import ROOT
from support.boards import board as our_board

from bench.common.boards import clue_cells, our_boards
from bench.make.boards import make_long, run, table
from enumerator import classify
from enumerator.engines import contraction


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x4-unique", "4x4-many", "6x6-unique", "6x6-many"])
def test_the_same_seed_makes_our_boards(tmp_path: Path, name: str) -> None:
    assert run(Namespace(seed=1, only=name, folder=tmp_path)) == 0
    assert (tmp_path / f"{name}.txt").read_text() == (ROOT / "boards" / f"{name}.txt").read_text()


@pytest.mark.slow
def test_the_same_seed_makes_the_same_boards(tmp_path: Path) -> None:
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        assert run(Namespace(seed=1, only="16x16-unique", folder=folder)) == 0
    one, two = ((tmp_path / name / "16x16-unique.txt").read_text() for name in ("one", "two"))
    assert one == two
    assert classify(one) == "unique"


def test_the_page_of_our_boards_is_what_the_command_writes() -> None:
    page = (ROOT / "boards" / "README.md").read_text()
    rows = re.findall(r"^\| \[[^]]+\]\((.*)\) \|(?:[^|]*\|){3} ([\d,]+) \|", page, re.MULTILINE)
    assert table({ROOT / "boards" / file: int(solutions.replace(",", "")) for file, solutions in rows}) == page


def test_2g_is_2f_with_one_clue_fewer_and_ten_times_the_solutions() -> None:
    shorter, longer = our_board("2f"), our_board("2g")
    (cell,) = set(clue_cells(shorter)) - set(clue_cells(longer))
    assert longer == shorter.with_cell(cell, 0)
    assert make_long(shorter, random.Random("1/2g")) == longer
    assert 10 / 2.5 < contraction.count(longer) / contraction.count(shorter) < 10 * 2.5


def test_a_pattern_of_two_letters_means_the_twelve_boards() -> None:
    assert list(our_boards()) == [f"{series}{letter}" for series in "12" for letter in "abcdef"]
