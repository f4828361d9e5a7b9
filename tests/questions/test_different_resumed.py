"""Counts of different solutions with a ledger: stopped anywhere, resumed, and the same number in the end."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from support.ledgers import FACT, fact, facts, fingerprint, forge, is_sound, is_written, plan, rows, said_of
from support.processes import Run, run_python
from support.runs import RESTLESS

import enumerator as en
from enumerator.board import Board
from enumerator.board.canonical import find_form
from enumerator.board.symmetry import SymmetryGroup
from enumerator.engines import Part
from enumerator.engines.shares import WHOLE
from enumerator.questions.checkpoints import open_different
from enumerator.questions.different import DifferentAnswer, different
from enumerator.questions.fixed import work
from enumerator.questions.fixed.arrangements import classes
from enumerator.questions.fixed.relabellings import DigitKinds
from enumerator.questions.fixed.work import FixedCounter
from enumerator.questions.solution_classes import first_of_orbits, list_solutions
from enumerator.run.ledger.contents import checksum
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

SIX = Board("." * 36)
"""It has 28,200,960 solutions, of which 49 are different (OEIS A109741)."""

CYCLIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"

NINE = Board("".join(digit if digit in "12345" else "." for digit in CYCLIC))
"""It has 10,752 solutions: few enough to compare all."""


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_NODES", "SLICE_NODES"):
        monkeypatch.setattr(work, name, 40)


def resume(board: Board, path: Path, how: Plan, turns: int | None = None) -> DifferentAnswer | None:
    """Resume a count; stop it when it has reported its effort some times, and return None then."""

    def stop(progress: Progress) -> None:
        nonlocal turns
        if turns is not None and progress.effort:
            turns -= 1
            if turns < 0:
                raise en.Stopped

    with open_different(str(path), board, how) as ledger:
        try:
            return different(board, how, ledger=ledger, watch=stop)
        except en.Stopped:
            return None


@pytest.mark.parametrize(
    ("board", "engine", "nodes"), [(SIX, "contraction", 40), (NINE, "contraction", 3), (NINE, "search", 3)]
)
def test_a_count_that_is_stopped_anywhere_comes_to_the_same(
    board: Board, engine: str, nodes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the search, the count of all solutions is stopped and resumed, too; then its parts give way to others."""
    for name in ("FIRST_NODES", "SLICE_NODES"):
        monkeypatch.setattr(work, name, nodes)
    path, rng, stops, counting = tmp_path / "ledger", random.Random(f"{board} {engine}"), 0, 0
    while not (
        answer := resume(
            board, path, plan(engine, 1 + stops % 2, pacing=RESTLESS), rng.choice([2, 10, 60]) if stops > 2 else 1
        )
    ):
        stops += 1
        assert stops < 200
        if is_written(path):
            assert is_sound(path)
            counting += "solutions" not in facts(path)
    known = 49
    if board == NINE:
        generators = find_form(board).generators
        known = sum(1 for _ in first_of_orbits(list_solutions(board, Plan(cores=1)), generators))
    assert (answer.different, answer.complete, answer.solutions) == (known, True, en.count(board))
    assert stops > 2
    assert (counting > 1) == (engine == "search")
    before, state = answer.before, en.status(path)
    assert before
    assert 0 < before.tasks <= state.contents.totals.finished
    assert (state.state, state.share, state.solutions, state.complete) == ("finished", 1.0, answer.solutions, True)
    again = resume(board, path, plan(engine, pacing=RESTLESS), None)
    assert again
    assert (again.different, again.nodes) == (known, answer.nodes)


@pytest.mark.usefixtures("short_parts")
def test_a_ledger_of_a_count_that_goes_on_says_so(tmp_path: Path, ask: Run) -> None:
    path = tmp_path / "ledger"
    assert resume(SIX, path, plan(pacing=RESTLESS, engine="contraction", cores=1), 8) is None
    state = en.status(path)
    assert (state.state, state.solutions, state.complete) == ("stopped", 28_200_960, True)
    assert 0 < state.share < 1
    assert not state.predicts
    assert ask("--status", str(path)).stdout.count("question        different: those that symmetries fix\n") == 1
    with pytest.raises(en.LedgerError, match="ledger: is the ledger of another question than a count"):
        en.audit(path)


def test_boards_without_fixed_solutions_are_recorded_too(tmp_path: Path) -> None:
    """Without symmetries, and without solutions: all that is to be done is their count."""
    for name, board in (("1b", en.read("boards/1b.txt")), ("none", Board("11" + "." * 14))):
        path = tmp_path / name
        first = resume(board, path, plan(pacing=RESTLESS))
        assert first
        assert en.status(path).state == "finished"
        again = resume(board, path, plan(pacing=RESTLESS))
        assert again
        assert (first.different, again.different, again.complete) == (en.count(board), en.count(board), True)


KILLED = """
import os, sys
import enumerator as en
from enumerator.questions.checkpoints import open_different
from enumerator.questions.different import different
from enumerator.questions.fixed import work
from enumerator.questions.fixed.arrangements import classes
from enumerator.questions.fixed.relabellings import DigitKinds
from enumerator.questions.fixed.work import FixedCounter
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan

def watch(progress):
    if progress.stage == "symmetries" and progress.effort:
        seen.add(progress.effort)  # it grows with each part
    if len(seen) > turns:
        os.kill(os.getpid(), 9)

work.FIRST_NODES = work.SLICE_NODES = 40
how, seen, turns = Plan(cores=2, pacing=Pacing(commit_seconds=0.0, synchronous=False)), set(), int(sys.argv[2])
with open_different(sys.argv[1], en.Board("." * 36), how) as ledger:
    print(different(en.Board("." * 36), how, ledger=ledger, watch=watch).different)
"""


@pytest.mark.slow
def test_a_count_that_is_killed_loses_little(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    finished = [0]
    for turns in (3, 10):
        done = run_python(KILLED, path, str(turns))
        assert (done.returncode, done.stdout, done.stderr) == (-9, "", "")
        assert is_sound(path)
        finished.append(said_of(path).totals.finished)
        assert finished[-1] >= finished[-2] + turns - 1  # what is known from before may be reported first
    done = run_python(KILLED, path, "100000")
    assert (done.returncode, done.stdout) == (0, "49\n")


@pytest.mark.usefixtures("short_parts")
def test_a_ledger_of_something_else_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "ledger", tmp_path / "other"
    with pytest.raises(en.OutOfTimeError):
        en.different("." * 81, checkpoint=path, time_limit=0.3)
    before = fingerprint(path)
    for refused, question in (
        ("another question", lambda: en.count("." * 81, checkpoint=path)),
        ("another question", lambda: next(en.solutions("." * 81, checkpoint=path))),
        ("another board", lambda: en.different("1" + "." * 80, checkpoint=path)),
        ("a board of another shape", lambda: en.different("." * 36, checkpoint=path)),
        ("another engine", lambda: en.different("." * 81, engine="contraction", checkpoint=path)),
    ):
        with pytest.raises(en.LedgerError, match=f"ledger: is the ledger of {refused}"):
            question()
    assert fingerprint(path) == before
    en.count("." * 81, checkpoint=other)
    with pytest.raises(en.LedgerError, match="another question: count there, different here"):
        en.different("." * 81, checkpoint=other)


@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("999999", "not a part of the search"),
        ("x", "not a part of the search"),
        ("{}/999999", "no option 999999"),
        ("{0}/0/0/0", "options that exclude each other"),
    ],
)
def test_a_part_that_cannot_be_is_refused(tmp_path: Path, name: str, message: str) -> None:
    path, how = tmp_path / "ledger", plan(pacing=RESTLESS, engine="contraction", cores=1)
    assert resume(SIX, path, how, 4) is None
    number, parent, work_of, share, *_ = next(row for row in rows(path) if row[5] is None)
    values = (number, parent, name.format(work_of.partition("/")[0]), share)
    forge(path, "UPDATE task SET work = ?, digest = ? WHERE id = ?", values[2], checksum(values), number)
    with pytest.raises(en.LedgerError, match=f"ledger: is damaged .*{message}"):
        resume(SIX, path, how)


@pytest.mark.usefixtures("short_parts")
def test_damage_and_other_versions_are_refused(tmp_path: Path) -> None:
    path, how = tmp_path / "ledger", plan(pacing=RESTLESS, engine="contraction", cores=1)
    assert resume(SIX, path, how, 8) is None
    whole = path.read_bytes()
    forge(path, "UPDATE run SET value = '28200961' WHERE name = 'solutions'")
    with pytest.raises(en.LedgerError, match="what it says of its run was changed"):
        resume(SIX, path, how)
    path.write_bytes(whole)
    forge(path, "UPDATE task SET solutions = '7' WHERE id = 1")
    with pytest.raises(en.LedgerError, match="the outcome of task 1 was changed"):
        resume(SIX, path, how)
    path.write_bytes(whole)
    forge(path, FACT, *fact("search", "0"))
    with pytest.raises(en.LedgerError, match="another version of the search for fixed solutions: 0 there, 1 here"):
        resume(SIX, path, how)
    path.write_bytes(whole)
    answer = resume(SIX, path, how)
    assert answer
    assert answer.different == 49


def test_solutions_that_are_listed_leave_no_ledger(tmp_path: Path) -> None:
    """The board has too many symmetries to list: nothing can be recorded."""
    path = tmp_path / "ledger"
    with pytest.raises(en.TooManySymmetriesError):
        en.different("." * 256, checkpoint=path, cores=1)
    assert not path.exists()


def test_other_parts_have_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger names parts by numbers of problems and options, which must stand for the same ones later.

    The digest is of this program itself: it shows that something has changed, not what is right.
    """
    monkeypatch.setattr(work, "FIRST_NODES", 40)
    shape = SIX.shape
    counter = FixedCounter(SIX, DigitKinds(SIX), classes(shape, (), SymmetryGroup(shape).arrangements, lambda: None))
    _, problems = counter.first_round(lambda: None)
    names = [b"%s/%d" % (part.load, option) for part in problems for option in range(3)]
    found = [(name, counter.work_on(Part(0, name, WHOLE))[0].solutions) for name in names]
    digest = hashlib.sha256(repr(found).encode()).hexdigest()[:16]
    assert len({solutions for _, solutions in found}) > 5
    assert (work.VERSION, digest) == (1, "c5928d604a10cd61")
