"""`python -m bench large`: the models of other programs, the boards, the measurements and the bounds."""

import argparse
import random
import re
from pathlib import Path

import pytest
from support.boards import board, random_board
from support.cases import slow_after
from support.counts import counts
from support.processes import Run

from bench.common.boards import rearranged
from bench.common.covers import Cover, cover, options_by_item, reduced_cover
from bench.study.large import bounds, cases, command, contest, trial
from bench.study.large.contest import OTHERS, Contest, Contestant, is_wrong, our_contestants
from bench.study.large.trial import COUNT, VERDICT, Trial, measure
from bench.study.peer_programs import Task, clauses, installed_version
from bench.tables.rows import Large
from bench.tables.table import Table, read
from enumerator import count, engines
from enumerator.board import Board, Shape

SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3), Shape(2, 4)]


def count_covers(given: Cover, left: frozenset[int] | None = None) -> int:
    """Count exact covers by the definition: cover the item with the fewest options in every way."""
    left = frozenset(range(given.items)) if left is None else left
    if not left:
        return 1
    fitting = [set(option) for option in given.options if left.issuperset(option)]
    item = min(left, key=lambda item: sum(item in option for option in fitting))
    return sum(count_covers(given, left - option) for option in fitting if item in option)


# ------------------------------------------------------------------------------------------------ the models


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", slow_after(2, range(4)))
def test_a_board_has_as_many_solutions_as_its_covers_have(shape: Shape, seed: int) -> None:
    given = random_board(shape, random.Random(f"{shape} {seed}"), most=40)
    found = next(iter(counts(shape).values()))(given)
    assert count_covers(cover(given)) == count_covers(reduced_cover(given)) == found
    assert len(reduced_cover(given).options) <= len(cover(given).options)


@pytest.mark.parametrize("text", ["11" + "." * 14, "1234 2... .... ....", "12.. 34.. ..3. ..4."])
def test_clues_that_leave_no_solution_leave_no_cover(text: str) -> None:
    given = Board(text)
    assert count_covers(reduced_cover(given)) == count(given) == 0


def test_a_reduced_cover_has_no_single_candidate_and_no_single_place() -> None:
    given = reduced_cover(board("16x16-many"))
    assert given.options
    assert min(map(len, options_by_item(given))) >= 2


def test_a_puzzle_that_singles_solve_leaves_nothing() -> None:
    assert reduced_cover(Board("1234 3412 214. ....")) == Cover([], 0)
    assert clauses(Cover([], 0)) == []


def test_clauses_demand_one_option_of_each_item_and_exclude_pairs_once() -> None:
    given = Cover([(0, 1), (0, 1), (1,)], 2)
    assert clauses(given) == [[1, 2], [1, 2, 3], [-1, -2], [-1, -3], [-2, -3]]


@pytest.mark.parametrize("name", OTHERS)
def test_other_programs_decide_and_count_large_boards(name: str) -> None:
    program = OTHERS[name]
    if installed_version(program) is None:
        pytest.skip(f"{name} is not installed")
    several, single = board("25x25-many"), board("16x16-unique")
    assert program.count(Task(several, 2, 50.0, is_reduced=True)) == (2, True)
    assert program.count(Task(single, 2, 50.0, is_reduced=True)) == (1, True)
    assert program.count(Task(Board("11" + "." * 14), 2, 50.0, is_reduced=True)) == (0, True)
    if not program.is_for_verdicts:
        assert program.count(Task(several, None, 50.0, is_reduced=True)) == (40, True)  # see boards/README.md


@pytest.mark.parametrize("name", ["clingo", "CP-SAT"])
def test_a_count_that_is_ended_has_found_some_solutions(name: str) -> None:
    if installed_version(OTHERS[name]) is None:
        pytest.skip(f"{name} is not installed")
    found = OTHERS[name].count(Task(Board.empty(Shape(3, 3)), None, 0.5))
    assert not found.is_complete
    assert found.solutions > 0


# ------------------------------------------------------------------------------------------------ the boards


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_rearranged_board_has_as_many_solutions(shape: Shape) -> None:
    given = random_board(shape, random.Random(str(shape)))
    assert count(rearranged(given, random.Random(1))) == count(given)


def test_derived_boards_depend_on_seed_and_number_alone() -> None:
    given = board("25x25-many")
    found = [cases.derived(given, seed, number) for seed in (1, 2) for number in (1, 2)]
    assert len({given, *found}) == 5
    assert found[0] == cases.derived(given, 1, 1)
    assert {count(each) for each in found} == {40}  # see boards/README.md


@pytest.mark.usefixtures("shared")
def test_published_boards_are_in_four_sections() -> None:
    if not cases.PUBLISHED_LARGE.is_dir():
        pytest.skip("no shared/large beside the repository")
    found = list(cases.published_cases(["hard", "derived", "easy", "counts"], is_quick=False, seed=1))
    sections = [case.section for case in found]
    assert {name: sections.count(name) for name in sections} == {"hard": 18, "derived": 18, "easy": 1, "counts": 16}
    assert all(case.question == VERDICT and case.solutions == 1 for case in found if case.section != "counts")
    assert len(next(case.boards for case in found if case.section == "easy")) == 55
    quick = list(cases.published_cases(["hard", "derived", "easy", "counts"], is_quick=True, seed=1))
    assert {(case.section, case.name) for case in quick} < {(case.section, case.name) for case in found}


# ------------------------------------------------------------------------------------------------ one trial


@pytest.mark.parametrize("program", engines.names())
def test_every_engine_decides_and_counts(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "REPEAT_SECONDS", 0.01)
    boards = [str(Board("1234 3412 .... ....")), str(Board("1... ..2. .3.. ...4"))]
    decided = measure(Trial("2x2", boards, VERDICT, program, 1, 50.0))
    counted = measure(Trial("2x2", boards, COUNT, program, 1, 50.0))
    assert (decided.solutions, counted.solutions) == (["2", "1"], ["4", "1"])
    assert decided.is_complete
    assert 0 < decided.seconds < 50
    assert decided.memory > 5


@pytest.mark.slow
def test_a_trial_that_is_ended_says_what_it_found() -> None:
    found = measure(Trial("4x4", ["." * 256], COUNT, "search", 1, 0.3))
    assert not found.is_complete
    assert int(found.solutions[0]) > 0


def test_an_engine_takes_the_boards_of_its_shapes() -> None:
    large = cases.Case("ours", "large", COUNT, [board("25x25-many")], 40)
    names = [each.name for each in our_contestants([2]) if each.takes(large)]
    assert names[:3] == ["auto", "auto ×2", "search"]
    assert "contraction" not in names


@pytest.mark.parametrize(
    ("found", "is_complete", "known", "expected"),
    [(3, True, 3, False), (2, True, 3, True), (2, False, 3, False), (4, False, 3, True), (4, True, None, False)],
)
def test_an_answer_is_wrong_if_it_contradicts_what_is_known(
    found: int, is_complete: bool, known: int | None, expected: bool
) -> None:
    assert is_wrong(found, is_complete, known) is expected


def test_a_program_that_is_late_twice_is_left_out_of_boards_like_those(tmp_path: Path) -> None:
    boards = {"a": "25x25-many", "b": "25x25-many", "c": "25x25-many", "d": "16x16-many"}
    given = [cases.Case("ours", name, COUNT, [board(file)], 40) for name, file in boards.items()]
    table = Table(tmp_path / "large.csv", Large, "large")
    for name in "ab":
        for program in ("auto", "search", "clingo"):
            table.add(Large("ours", name, COUNT, program, "1", 0, "0", False, 1.0, 1.0, 20.0))
    programs = [*our_contestants([1]), Contestant("clingo", "clingo", "1"), Contestant("CP-SAT", "CP-SAT", "1")]
    found = Contest(table, programs, given, 1.0, 1)
    left = [(step.board, step.setting) for step in found.steps() if step.measure]
    assert ("c", "search") not in left
    assert {("c", "auto"), ("c", "clingo"), ("c", "CP-SAT"), ("d", "search")} <= set(left)


# ------------------------------------------------------------------------------------------------ the bounds


def row(section: str, name: str, program: str, seconds: float, **more: object) -> Large:
    question = COUNT if section == "counts" else VERDICT
    answer, is_complete = str(more.get("answer", 1)), bool(more.get("is_complete", True))
    memory = float(str(more.get("memory", 50.0)))
    return Large(section, name, question, program, "1", 0, answer, is_complete, seconds, seconds, memory)


def judged(*rows: Large) -> list[str]:
    lines = bounds.report_lines(list(rows), 60.0)
    return [line for line in lines if line.startswith(("meets", "misses"))]


def test_hard_puzzles_meet_the_bound_if_all_are_proven_in_less_time() -> None:
    ours = [row("hard", name, "auto", seconds) for name, seconds in (("a", 1.0), ("b", 2.0))]
    theirs = [row("hard", name, "CaDiCaL", seconds) for name, seconds in (("a", 1.0), ("b", 5.0))]
    twice = [row("hard", name, "auto ×2", seconds) for name, seconds in (("a", 0.5), ("b", 1.0))]
    lines = judged(*ours, *theirs, *twice)
    assert lines[0] == "meets   2 of 2 proven unique by auto; wanted: all"
    assert lines[1].startswith("meets   sums: auto 3.00 s, CaDiCaL 6.00 s: ratio 0.50")
    assert lines[2] == "meets   auto ×2: 2.00 times as fast as one, on 2 puzzles; wanted: 1.5"


@pytest.mark.parametrize(("seconds", "judgement"), [(0.65, "meets "), (0.66, "misses")])
def test_the_bound_of_hard_puzzles_is_65_hundredths_of_the_time(seconds: float, judgement: str) -> None:
    lines = judged(row("hard", "a", "auto", seconds), row("hard", "a", "CaDiCaL", 1.0))
    assert lines[1].startswith(f"{judgement}  sums: auto {seconds} s, CaDiCaL 1.00 s")
    assert lines[1].endswith("wanted: 0.65, aim 0.5")


def test_of_several_rearrangements_the_median_counts() -> None:
    """Counts that were ended come last: of 1, 2, 9 and > 60 s the median is 5.5 s."""
    name, times = bounds.AGAINST_CLINGO, [(9.0, True), (1.0, True), (60.0, False), (2.0, True)]
    rows = [row("counts", name, "auto", seconds, is_complete=is_complete) for seconds, is_complete in times]
    rows += [row("counts", name, "clingo", seconds) for seconds in (11.0, 3.0, 100.0)]
    lines = list(bounds.report_lines(rows, 60.0, rearrangements=4))
    assert (
        lines[0]
        == "puzzles with clues taken away, counted: seconds, median of 4 rearrangements, on one core unless said"
    )
    assert f"meets   {name}: 2.00 times as fast as clingo; wanted: 1.4, aim 2" in lines
    late = bounds.figures_of(rows[2:3] * 2 + rows[:1], are_rearranged=True)[name]["auto"]
    assert not late.is_complete


def test_rearrangements_of_a_case_differ_and_keep_their_solutions() -> None:
    case = cases.Case("ours", "large", COUNT, [board("25x25-many")], 40)
    found = [cases.rearranged_case(case, 1, number).boards[0] for number in range(3)]
    assert len({case.boards[0], *found}) == 4
    assert {count(each) for each in found} == {40}
    assert found == [cases.rearranged_case(case, 1, number).boards[0] for number in range(3)]


def test_each_round_measures_another_rearrangement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Board] = []

    def measured(case: cases.Case, _each: Contestant, _limit: float) -> trial.Result:
        seen.extend(case.boards)
        return trial.Result(["40"], True, 1.0, 1.0, 20.0)

    monkeypatch.setattr(contest, "run", measured)
    case = cases.Case("ours", "large", COUNT, [board("25x25-many")], 40)
    for seed, different in ((None, 1), (1, 3)):
        seen.clear()
        table = Table(tmp_path / f"{seed}.csv", Large, "large")
        for step in Contest(table, our_contestants([1])[:2], [case], 60.0, 3, seed).steps():
            assert step.measure
            step.measure()
        assert len(set(seen)) == different
        assert seen[::2] == seen[1::2], "programs that take turns count the same board"


def test_a_puzzle_that_is_not_proven_misses_the_bound_whatever_the_sum() -> None:
    late = row("hard", "a", "auto", 1.0, answer=0, is_complete=False)
    lines = judged(late, row("hard", "a", "CaDiCaL", 50.0))
    assert lines[0] == "misses  0 of 1 proven unique by auto; wanted: all"
    assert lines[1].startswith("misses  sums: auto 1.00 s (1 undecided), CaDiCaL 50.00 s: ratio 0.02")


def test_counts_that_are_ended_are_compared_by_solutions_a_second() -> None:
    name = bounds.AGAINST_CLINGO
    lines = judged(
        row("counts", name, "auto", 60.0, answer=3000, is_complete=False),
        row("counts", name, "clingo", 60.0, answer=1000, is_complete=False),
    )
    assert f"meets   {name}: 3.00 times as fast as clingo; wanted: 1.4, aim 2" in lines


def test_a_board_with_dead_ends_must_be_counted_fast() -> None:
    name, least = bounds.WITH_DEAD_ENDS, bounds.LEAST_RATE
    for answer, judgement in ((10 * least, "meets "), (10 * least - 10, "misses")):
        lines = judged(row("counts", name, "auto", 10.0, answer=answer))
        assert f"{judgement}  {name}: {answer / 10:,.0f} solutions a second by auto; wanted: {least:,}" in lines


def test_memory_of_our_program_is_bounded() -> None:
    rows = [row("ours", "36x36-a", "auto", 1.0, memory=301.0), row("ours", "36x36-a", "clingo", 1.0, memory=900.0)]
    assert judged(*rows) == [
        "meets   36x36-a: proven unique in 1.00 s by auto; wanted: proven unique",
        "misses  at most 301 MB (auto on 36x36-a); wanted: below 300 MB",
    ]


# ----------------------------------------------------------------------------------------------- the command


@pytest.mark.slow
def test_large_measures_programs_on_the_boards_named(ask_bench: Run, tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text("1... ..2. .3.. ...4\n")
    named = ["--boards", str(tmp_path / "small.txt"), "25x25-many", "--time-limit", "20", "--cores", "1,2"]
    wanted = [*named, "--programs", "auto", "contraction", "--results", str(tmp_path)]
    done = ask_bench("large", *wanted)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^board +solutions +auto +auto ×2 +contraction .*ratio$", done.stdout, re.MULTILINE)
    assert re.search(r"^25x25-many +40( +[\d.]+){2}", done.stdout, re.MULTILINE)
    assert re.search(r"^small +1( +[\d.]+){3}", done.stdout, re.MULTILINE)
    assert re.search(r"^meets   at most \d+ MB \(.*\); wanted: below 300 MB$", done.stdout, re.MULTILINE)
    rows = read(tmp_path / "large.csv", Large)[1]
    assert {row.answer for row in rows if row.board == "25x25-many"} == {"40"}
    assert all(row.is_complete and row.seconds > 0 and row.memory > 5 for row in rows)
    assert ask_bench("large", *wanted).stdout == done.stdout  # nothing was left to do


def test_absent_boards_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "PUBLISHED_LARGE", tmp_path / "large")
    options = argparse.Namespace(parts=[], boards=None, quick=True, seed=1, match=None, no_match=None)
    found = command.chosen_cases(options)
    assert {case.section for case in found} == {"ours"}
    assert capsys.readouterr().err == (
        "bench: no shared/large beside the repository: left out hard, derived, easy, counts\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["soft"], "no such part: soft"),
        (["--boards", "9z"], "9z is neither a name nor a file"),
        (["--programs", "abacus"], "not here: abacus"),
        (["--iterations", "0"], "--iterations must be at least 1, not 0"),
        (["--iterations", "2", "--rearrangements", "2"], "--rearrangements and --iterations do not go together"),
        (["ours", "--match", "^9x9"], "no board has a name that --match and --no-match let pass"),
    ],
)
def test_a_mistake_in_large_is_one_sentence(ask_bench: Run, arguments: list[str], message: str) -> None:
    done = ask_bench("large", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"bench: {message}" in done.stderr
    assert "Traceback" not in done.stderr
