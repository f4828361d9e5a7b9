"""Every question about boards with pencil marks: the answer is that of the plain board, filtered by the marks."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from pathlib import Path

import pytest
from support.boards import NINE, random_board
from support.counts import general
from support.ledgers import count_on, facts, ledger_of, plan, restless_plan, said_of
from support.marks import filtered, restrict, restricted_board
from support.runs import EAGER, last

import enumerator as en
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.command.board_loop import check_board
from enumerator.engines import Tally, learning, search
from enumerator.questions.chunks import NamedBoard
from enumerator.questions.verify import split
from enumerator.run.challenge import challenge_anew
from enumerator.run.chooser import EngineChooser, steady_engine
from enumerator.run.ledger import LedgerError
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.race import Race
from enumerator.run.workers.executors import start_processes

FOUR, SIX, SIXTEEN = Shape(2, 2), Shape(2, 3), Shape(4, 4)


def boards(name: str, number: int = 3, most: int = 200) -> list[tuple[Board, Board]]:
    """Return boards of four shapes, each with the same board with pencil marks."""
    rng = random.Random(name)
    return [restricted_board(shape, rng, most) for shape in (FOUR, SIX, NINE, SIXTEEN) for _ in range(number)]


def many(name: str) -> tuple[Board, int]:
    """Return a 9×9 board with pencil marks and more than 500 solutions, and their number."""
    rng = random.Random(name)
    while True:
        plain = random_board(NINE, rng, 10_000)
        marked = restrict(plain, rng, 0.1)
        if marked.allowed and general(marked).run(limit=501) > 500:
            return marked, len(filtered(plain, marked))


@pytest.mark.parametrize("engine", ["auto", "search"])
def test_every_number_of_cores_counts_the_same(engine: str) -> None:
    for plain, marked in boards("cores", 2):
        expected = len(filtered(plain, marked))
        for how in (plan(engine), restless_plan(engine), restless_plan(engine, cutoff=1_000), plan(engine, cores=1)):
            tally = last(marked, how)
            assert (tally.solutions, tally.complete, tally.engine) == (expected, True, "search")
        assert last(marked, restless_plan(engine, limit=2)).solutions == min(2, expected)


def test_processes_count_the_same() -> None:
    marked, expected = many("processes")
    tally = last(marked, plan(pacing=EAGER)._replace(pool=start_processes))
    assert (tally.solutions, tally.complete) == (expected, True)
    assert en.count(marked) == expected


def test_a_marked_board_is_verified_by_another_engine() -> None:
    for plain, marked in boards("verify"):
        answer = en.verify(marked)
        assert answer.agrees
        assert answer.solutions == len(filtered(plain, marked))
        assert answer.verification is not None
        assert answer.verification.way == "learning"
        parts = list(split(marked))
        assert not any(any(part.conflicts()) for part in parts)
        assert sum(map(en.count, parts)) == answer.solutions


def test_lists_are_the_allowed_solutions_in_one_order() -> None:
    for plain, marked in boards("lists"):
        listed = [solution.cells for solution in en.solutions(marked)]
        assert sorted(listed) == filtered(plain, marked)
        assert [solution.cells for solution in en.solutions(marked, cores=2)] == listed
        assert [en.nth(marked, number).cells for number in range(0, len(listed), 7)] == listed[::7]
        with pytest.raises(IndexError):
            en.nth(marked, len(listed))


def test_samples_are_allowed_and_uniform() -> None:
    rng = random.Random("sample")
    plain, marked = restricted_board(FOUR, rng, 288)
    expected = filtered(plain, marked)
    seen = Counter(solution.cells for solution in en.sample(marked, 200 * len(expected), seed=1))
    assert sorted(seen) == expected
    assert all(140 < number < 260 for number in seen.values())


def test_candidates_are_those_of_the_allowed_solutions() -> None:
    for plain, marked in boards("candidates"):
        found = Counter((cell, digit) for solution in filtered(plain, marked) for cell, digit in enumerate(solution))
        size = marked.shape.size
        assert en.candidates(marked).counts == [
            [found[cell, digit] for digit in range(1, size + 1)] for cell in range(marked.shape.cells)
        ]


def test_verdicts_of_marked_and_plain_boards_in_any_order() -> None:
    pairs = boards("verdicts", most=6)
    everything = [board for pair in pairs for board in pair] + [marked for _, marked in pairs]
    expected = [min(2, len(filtered(plain, board))) for plain, marked in pairs for board in (plain, marked)]
    expected += [min(2, len(filtered(plain, marked))) for plain, marked in pairs]
    assert {1, 2} <= set(expected)
    verdicts = [en.Verdict("none"), en.Verdict("unique"), en.Verdict("multiple")]
    assert [en.classify(board) for board in everything] == [verdicts[number] for number in expected]
    assert list(en.classify_all(everything, cores=2)) == [verdicts[number] for number in expected]
    assert list(en.count_all(everything, limit=2, cores=2)) == expected


def test_an_impossible_mark_is_an_answer() -> None:
    board = Board.from_allowed(NINE, [0, *[511] * 80])
    assert en.count(board) == 0
    assert en.classify(board) == en.Verdict("none")
    assert en.verify(board).conflicts == ["r1c1 has no allowed digit"]


def test_an_estimate_of_a_marked_board_is_exact_if_it_is_counted() -> None:
    for plain, marked in boards("estimate", 1):
        found = en.estimate(marked, time_limit=1.0, cores=1)
        assert found.estimate.exact
        assert found.estimate.solutions.mean == len(filtered(plain, marked))


# ------------------------------------------------------------------------------------------------ the race


def without_a_place() -> Board:
    """Return a 9×9 board without a solution, which a walk that forgets dead ends does not see in a minute.

    The digit 6 has two places left in each of the boxes 5, 6, 8 and 9. Each of the two in box 5 leaves one in box 6,
    which leaves one in box 9, which leaves one in box 8, and that is in the column of the first.
    """
    clues, marks = {(1, 6), (2, 7), (5, 1), (8, 2)}, {(4, 4), (4, 9), (6, 5), (6, 8), (7, 5), (7, 9), (9, 4), (9, 8)}
    places = [(row, column) for row in range(1, 10) for column in range(1, 10)]
    cells = bytes(6 if place in clues else 0 for place in places)
    return Board.from_cells(NINE, cells, [0b1_0101_0000 if place in marks else 0b1_1111_1111 for place in places])


def test_auto_ends_where_learning_does() -> None:
    marked = without_a_place()
    assert en.classify(marked, time_limit=20) == "none"
    assert en.count(marked, time_limit=20) == 0
    assert not any(map(any, en.candidates(marked, time_limit=20).counts))
    assert steady_engine(marked, "auto").name == "learning"


def test_a_small_board_races_only_if_it_takes_long() -> None:
    marked, _ = many("race")
    chooser, counting = EngineChooser(marked, Plan()), search.ENGINE.begin(marked)
    probe = search.ENGINE.probe_effort
    dense = Tally(3 * probe, effort=30 * probe, share=1e-9)
    assert EngineChooser(marked, Plan()).race(counting, dense) is None, "nothing finds solutions faster"
    assert EngineChooser(marked, Plan()).race(counting, dense._replace(solutions=2 * probe)) is not None
    for probes, share in ((30, 0.11), (60, 0.21), (120, 0.5)):
        assert chooser.race(counting, Tally(effort=probes * probe, share=share)) is None, "it ends within a second"
    assert chooser.race(counting, Tally(effort=239 * probe, share=1e-9)) is None, "looked at not long ago"
    assert isinstance(chooser.race(counting, Tally(effort=240 * probe, share=0.7)), Race)


def test_a_count_of_many_solutions_is_challenged_late_on_several_cores() -> None:
    marked, _ = many("late")
    for found, seconds, is_due in ((10**6, 5.0, False), (10**6, 11.0, True), (0, 5.0, True)):
        tally = Tally(found, effort=5 * 10**6, share=1e-9)
        challenge = challenge_anew(marked, Plan(), PartialCount(tally, found, [], 0.1, 1e7, 10**6))
        assert challenge
        challenge.leader.add(seconds, found, 1e-9)
        assert challenge.is_due == is_due


def test_a_list_of_several_solutions_keeps_the_order_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    marked, solutions = many("order")
    monkeypatch.setattr(search.ENGINE, "is_quick", lambda _: False)
    assert solutions > 1
    assert engines.racer(marked) is learning.ENGINE
    assert steady_engine(marked, "auto") is search.ENGINE


# ------------------------------------------------------------------------------------------------- ledgers


@pytest.mark.parametrize("shape", [SIX, NINE, SIXTEEN], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_stopped_count_is_resumed_with_its_marks(shape: Shape, seed: int, tmp_path: Path) -> None:
    plain, marked = restricted_board(shape, random.Random(f"ledger {shape} {seed}"), 1_500)
    path = tmp_path / "ledger"
    for steps in (1, 2, 5):
        count_on(marked, restless_plan(), path, steps)
    assert count_on(marked, restless_plan(), path).solutions == len(filtered(plain, marked))
    assert facts(path)["board"] == str(marked)
    assert said_of(path).complete


def test_the_ledger_of_other_marks_is_refused(tmp_path: Path) -> None:
    plain, marked = restricted_board(NINE, random.Random("other marks"))
    path = tmp_path / "ledger"
    count_on(marked, restless_plan(), path, 1)
    other = marked.with_cell(marked.cells.index(0), 1)
    for board in (plain, other):
        with pytest.raises(LedgerError, match="another board"), ledger_of(board, restless_plan(), path):
            pass


def test_a_stopped_list_is_resumed_with_its_marks(tmp_path: Path) -> None:
    marked, _ = many("list")
    whole, half = tmp_path / "whole.txt", tmp_path / "half.txt"
    en.write_solutions(marked, whole)
    seen = 0

    def stop(_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 2:
            raise en.Stopped

    with pytest.raises(en.Stopped):
        en.write_solutions(marked, half, checkpoint=tmp_path / "ledger", progress=stop)
    en.write_solutions(marked, half, checkpoint=tmp_path / "ledger")
    assert half.read_bytes() == whole.read_bytes()


# ---------------------------------------------------------------------------------------------- the command


def test_a_marked_board_is_sent_whole_to_a_worker() -> None:
    for plain, marked in boards("packed", 1):
        for board in (plain, marked):
            assert pickle.loads(pickle.dumps(NamedBoard("a board", board))) == NamedBoard("a board", board)


def test_an_engine_without_marks_is_refused_by_name() -> None:
    _, marked = restricted_board(NINE, random.Random("refused"))
    with pytest.raises(ValueError, match="the engine contraction does not take pencil marks: use the search"):
        en.count(marked, engine="contraction")
    refused = check_board(NamedBoard("board.txt:1", marked), "contraction")
    assert refused.board == marked
    assert refused.error.startswith("board.txt:1: the engine contraction does not take pencil marks: use the search")
