"""Estimates: their 95 % intervals hold the truth about 95 times in 100, or there is none."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from math import inf, log, log10
from pathlib import Path

import pytest
from support.boards import ROOT, full_board, random_board
from support.cases import slow_after
from support.lateness import Stopwatch

from enumerator import solutions
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import search
from enumerator.engines.interfaces import PopulationEstimate, ProbeBudget
from enumerator.questions.estimate import EstimateAnswer, estimate, timed_rounds
from enumerator.questions.fixed_estimate import fixed_estimates, grow
from enumerator.questions.intervals import Interval, Powers, certain, interval
from enumerator.questions.rounds import Estimate, Round, find_trees
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Stopped

SEARCH = Plan(cores=1, engine="search")

EMPTY = {
    Shape(2, 4): log10(29136487207403520),  # Russell, published in 2006
    Shape(3, 3): log10(6670903752021072936960),  # Felgenhauer and Jarvis, 2005
    Shape(3, 4): log10(81171437193104932746936103027318645818654720000),  # Pettersen, 2006
    Shape(4, 4): log10(5.96e98),  # Silver's and Pettersen's estimate
}
"""The logarithms of the published numbers of solutions of empty boards."""


def probed(board: Board, probes: int, seed: int) -> Estimate:
    """Return an estimate that depends on its arguments only: no time is spent on a count."""
    *_, last = fixed_estimates(board, seed, probes, "search", counts=False)
    return last


def holds(answer: Interval, truth: float) -> bool | None:
    """Tell if an interval holds a number that is given by its logarithm; None for no interval."""
    mean, low, high = answer.log10
    if low is None or high is None:
        return None
    assert low <= mean <= high
    return low <= truth <= high


@pytest.mark.parametrize("shape", list(EMPTY), ids=str)
def test_intervals_hold_the_solutions_of_empty_boards(shape: Shape) -> None:
    seeds = 40 if shape.size < 12 else 10
    found = [holds(probed(Board.empty(shape), 64, seed).solutions, EMPTY[shape]) for seed in range(seeds)]
    said = [each for each in found if each is not None]
    assert len(said) >= 0.8 * seeds
    assert sum(said) >= 0.9 * len(said)


@pytest.mark.parametrize("name", slow_after(1, ["1d", "2d"]))
def test_intervals_hold_solutions_and_nodes(name: str) -> None:
    board = read(ROOT / "boards" / f"{name}.txt")
    walk = search.start(board)
    truth = log10(walk.run()), log10(walk.nodes)
    answers = [probed(board, 256, seed) for seed in range(40)]
    assert not any(each.exact for each in answers)
    assert {each.probes for each in answers} == {256}
    for number, about in zip(
        truth, ([each.solutions for each in answers], [each.nodes for each in answers]), strict=True
    ):
        assert sum(bool(holds(each, number)) for each in about) >= 36


def test_intervals_hold_the_solutions_of_a_25x25_board() -> None:
    full = next(iter(solutions(read(ROOT / "boards" / "25x25-many.txt"))))
    board = Board.from_cells(full.shape, bytes(75) + full.cells[75:])
    truth = log10(search.count(board))
    assert sum(bool(holds(probed(board, 64, seed).solutions, truth)) for seed in range(10)) >= 9


@pytest.mark.slow
def test_the_empty_25x25_is_estimated_in_logarithms() -> None:
    """Pettersen's estimate is 4.36e308."""
    answers = [probed(Board.empty(Shape(5, 5)), 256, seed).solutions for seed in range(2)]
    assert all(holds(each, log10(4.36) + 308) in (True, None) for each in answers)
    assert all(307 < each.log10.mean < 310 for each in answers)


LARGE = {"25x25-a-6": 136, "25x25-a-8": 19_133}
"""Boards of boards/large on which random paths are dead ends, and their numbers of solutions."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("25x25-a-6", (0,)), ("25x25-a-8", (1,))])
def test_intervals_of_boards_full_of_dead_ends_hold_the_solutions(name: str, seeds: tuple[int, ...]) -> None:
    """With these seeds there are intervals. `python -m bench estimates` takes hundreds of seeds."""
    board = read(ROOT / "boards" / "large" / f"{name}.txt")
    found = [holds(probed(board, 64, seed).solutions, log10(LARGE[name])) for seed in seeds]
    assert all(found)


def test_a_board_full_of_dead_ends_is_counted_if_there_is_time() -> None:
    board = read(ROOT / "boards" / "large" / "25x25-a-6.txt")
    answer = estimate(board, Plan(cores=1), time_limit=20).estimate
    assert (answer.exact, answer.solutions.exact) == (True, LARGE["25x25-a-6"])


@pytest.mark.slow
def test_boards_whose_solutions_no_probe_meets_have_no_interval() -> None:
    answer = probed(read(ROOT / "boards" / "large" / "36x36-a.txt"), 8, 0)
    assert (answer.solutions.low, answer.solutions.caveat) == (None, "too few probes to say")


@pytest.mark.slow
def test_published_large_boards_are_estimated(shared: Path) -> None:
    lines = (shared / "large" / "many.tsv").read_text().splitlines()
    (text,) = (line.split("\t")[0] for line in lines if line.endswith("25-1, 4 clues fewer"))
    found = [holds(probed(Board.parse(text), 64, seed).solutions, log10(1150)) for seed in range(1)]
    assert all(found)


@pytest.mark.parametrize("name", ["1f", "2e"])
def test_published_boards_are_estimated(shared: Path, name: str) -> None:
    table = dict(line.split("\t")[0::2][:2] for line in (shared / "boards" / "table.tsv").read_text().splitlines()[1:])
    assert holds(probed(read(shared / "boards" / f"{name}.txt"), 2000, seed=3).solutions, log10(int(table[name])))


def test_an_estimate_depends_on_seed_and_probes_only() -> None:
    board = Board.empty(Shape(3, 3))
    first, again, other = (probed(board, 100, seed) for seed in (5, 5, 6))
    assert (first.solutions, first.nodes) == (again.solutions, again.nodes)
    assert first.solutions != other.solutions


class RunawayClock:
    """A clock on which each look takes a second: a machine that is slower than any other."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


FIXED = {
    "a 9x9 board": Board.empty(Shape(3, 3)),
    "an empty 12x12": Board.empty(Shape(3, 4)),
    "a board that is counted": random_board(Shape(3, 3), random.Random(2), 30),
}


@pytest.mark.parametrize(
    ("name", "engine", "probes"),
    slow_after(
        3,
        [
            ("a 9x9 board", "search", 64),
            ("an empty 12x12", "auto", 64),
            ("a board that is counted", "auto", 64),
            ("a 9x9 board", "auto", None),
            ("a 9x9 board", "search", None),
            ("an empty 12x12", "auto", None),
            ("a board that is counted", "search", None),
        ],
    ),
)
def test_a_seeded_estimate_is_the_same_on_every_machine(
    monkeypatch: pytest.MonkeyPatch, name: str, engine: str, probes: int | None
) -> None:
    """Neither the clock nor the cores change the solutions, the nodes, the probes, or what is counted."""
    monkeypatch.setattr("enumerator.engines.walks.probes.BUDGET_CELLS", 2**18)
    board = FIXED[name]

    def ask(cores: int, seed: int = 3) -> dict[str, object]:
        facts = estimate(board, Plan(cores=cores, engine=engine), seed=seed, probes=probes).to_dict()
        return {name: facts[name] for name in ("estimated_solutions", "estimated_nodes", "exact", "probes")}

    here = ask(1)
    assert here["exact"] is (name != "an empty 12x12" and (name, engine) != ("a 9x9 board", "search"))
    for module in ("run.local", "questions.rounds", "engines.walks"):
        monkeypatch.setattr(f"enumerator.{module}.perf_counter", RunawayClock())
    assert ask(2) == here
    assert (ask(2, seed=4) == here) is here["exact"]


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_after(1, ["25x25-a", "25x25-a-6"]))
def test_a_seeded_estimate_counts_boards_full_of_dead_ends(name: str) -> None:
    """Their random paths meet nothing. A trial of the engine that learns counts them."""
    board = read(ROOT / "boards" / "large" / f"{name}.txt")
    answer = estimate(board, Plan(cores=1), seed=1).estimate
    assert (answer.exact, answer.solutions.exact) == (True, LARGE.get(name, 1))


def test_the_budget_of_probes_is_that_of_the_board() -> None:
    for shape in (Shape(2, 2), Shape(3, 3), Shape(5, 5), Shape(8, 8)):
        budgets = [tree.budget for _, tree in find_trees(Board.empty(shape))]
        assert budgets == [tree.budget for _, tree in find_trees(Board.empty(shape))]
        assert all(64 <= budget.probes <= 2**16 for budget in budgets)


def test_short_walks_end_with_their_budget() -> None:
    """A tree that calls `watch` for ever: the calls of the budget end it, wherever it is."""

    class EndlessTree:
        budget = ProbeBudget(64, calls=100)
        calls = 0

        def probe(self, number: int, rng: random.Random, watch: Callable[[], object]) -> PopulationEstimate:
            while True:
                watch()
                self.calls += 1

    tree, round_ = EndlessTree(), Round(64)
    assert len(list(grow(round_, tree, random.Random(1), tree.budget, lambda: None))) == 1
    assert (tree.calls, round_.populations, round_.solutions.low) == (100, [], None)


def test_many_probes_are_many_populations() -> None:
    """The memory of a population is limited, whatever the number of probes is."""
    for probes in (2**20, 10**9, 10**15):
        round_ = Round(probes)
        assert round_.population_probes <= 2**17
        assert round_.planned * round_.population_probes == pytest.approx(probes, rel=1e-3)


def test_an_interrupted_estimate_with_many_probes_has_the_best_so_far() -> None:
    """From 8 of its 16 populations on, there is an estimate; the last one has all probes."""
    found = fixed_estimates(Board.empty(Shape(3, 3)), 1, 1600, "search", counts=False)
    assert [each.probes for each in found] == list(range(800, 1601, 100))
    many = fixed_estimates(Board.empty(Shape(3, 3)), 1, 10**9, "search", counts=False)
    assert next(many).probes == 64


def test_more_probes_make_a_narrower_interval() -> None:
    few, many = (probed(Board.empty(Shape(3, 3)), probes, 1).solutions.log10 for probes in (100, 10_000))
    assert None not in (few.low, few.high, many.low, many.high)
    assert (many.high or inf) - (many.low or 0) < 0.3 * ((few.high or 0) - (few.low or 0))


def test_a_small_board_is_counted() -> None:
    rng = random.Random(1)
    for board in (random_board(Shape(3, 3), rng, 50), full_board(Shape(2, 3), rng), Board.parse("11" + "." * 14)):
        answer = estimate(board, SEARCH).estimate
        assert answer.exact
        assert answer.solutions == certain(search.count(board))


def test_the_time_is_kept() -> None:
    """On a machine of any speed, an estimate ends soon after its time, whatever it has found."""
    with Stopwatch() as watch:
        answer = estimate(Board.empty(Shape(8, 8)), SEARCH, time_limit=0.2).estimate
    assert watch.seconds < 5
    assert (answer.exact, answer.solutions.caveat) == (False, "too few probes to say")


@pytest.mark.slow
def test_a_stopped_estimate_has_the_best_so_far() -> None:
    """Calls of `watch` before the end of the first round find no estimate yet."""
    for calls in (1, 200):
        left = calls

        def stop(_: Progress) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Stopped

        with pytest.raises(Stopped) as stopped:
            estimate(Board.empty(Shape(3, 3)), SEARCH, time_limit=20, watch=stop)
        answer = stopped.value.answer
        assert answer is None if calls == 1 else isinstance(answer, EstimateAnswer) and answer.estimate.probes > 0


class SlowTree:
    """A tree whose probes take `seconds` each, by a clock that only they move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.seconds, self.now, self.sizes = seconds, 0.0, list[int]()
        self.budget = ProbeBudget(1)
        for module in ("estimate", "rounds"):
            monkeypatch.setattr(f"enumerator.questions.{module}.perf_counter", lambda: self.now)

    def probe(self, number: int, rng: random.Random, watch: object) -> PopulationEstimate:
        assert callable(watch)
        self.sizes.append(number)
        for _ in range(number):
            watch()
            self.now += self.seconds
        return PopulationEstimate(0.0, 0.0)


@pytest.mark.parametrize(
    ("seconds", "probes"),
    [(1e-3, [32, 176, 1600]), (1e-2, [32, 144]), (0.03, [32]), (0.6, [4]), (0.8, [0])],
)
def test_rounds_fill_the_time(monkeypatch: pytest.MonkeyPatch, seconds: float, probes: list[int]) -> None:
    tree = SlowTree(monkeypatch, seconds)
    rounds = list(timed_rounds(tree, random.Random(0), 2.0, lambda: None))
    assert [each.probes for each in rounds] == probes
    assert tree.now < 2.0 + 2 * seconds


def test_a_round_with_few_probes_has_fewer_populations() -> None:
    assert [(each.planned, each.population_probes) for each in map(Round, (1, 80, 1023, 1024, 16_000))] == [
        (8, 1),
        (8, 10),
        (8, 127),
        (16, 64),
        (16, 1000),
    ]


# ---------------------------------------------------------------------------------------------- intervals


def test_intervals_of_log_normal_estimates_hold_their_mean() -> None:
    """Of 1,000 intervals, at least 930 hold the truth, if the logarithms are normally distributed."""
    rng = random.Random(1)
    for deviation, count in ((0.1, 8), (0.5, 8), (1.0, 16), (2.5, 16)):
        found = [
            holds(interval([rng.gauss(700 - deviation**2 / 2, deviation) for _ in range(count)]), 700 / log(10))
            for _ in range(1000)
        ]
        said = [each for each in found if each is not None]
        assert len(said) > 950
        assert sum(said) > 0.93 * len(said)


def test_there_is_no_interval_of_estimates_that_disagree() -> None:
    few, wide, none = interval([1.0] * 7), interval([0.0, 10.0] * 8), interval([3.0] * 15 + [-inf])
    for each in (few, wide, none):
        assert each.low is each.high is None
        assert each.caveat == "too few probes to say"
    assert few.mean == pytest.approx(2.718, rel=1e-3)
    nothing = interval([-inf] * 16)
    assert (nothing.mean, nothing.low) == (0.0, None)
    assert interval([]).log10.mean == -inf
    assert interval([2.0] * 8).caveat == ""


def test_intervals_are_not_limited_to_floats() -> None:
    large = interval([log(10) * 1500] * 16)
    assert (large.mean, large.low, large.high) == (inf, inf, inf)
    assert large.log10.high == pytest.approx(1500)
    assert large.times(1e-3).log10.mean == pytest.approx(1497)
    facts = json.loads(json.dumps(large.to_dict(), allow_nan=False))
    assert (facts["mean"], facts["log10"]["mean"]) == (None, pytest.approx(1500))
    json.dumps(interval([]).to_dict(), allow_nan=False)


def test_what_is_known_raises_an_interval() -> None:
    raised = Interval(Powers(3.0, 2.0, 4.0)).at_least(12_345)
    assert (raised.mean, raised.low, raised.high) == pytest.approx((12_345, 12_345, 12_345))
    assert min(raised.mean, raised.low or 0) >= 12_345
    raised = Interval(Powers(3.0, 2.0, 4.0)).at_least(500)
    assert (raised.mean, raised.low, raised.high) == pytest.approx((1000, 500, 10_000))
    assert Interval(Powers(3.0, None, None)).at_least(12_345).caveat
    assert Interval(Powers(3.0, 2.0, 4.0)).at_least(0).log10 == Powers(3.0, 2.0, 4.0)


def test_a_factor_with_an_error_makes_an_interval_wider() -> None:
    wider = Interval(Powers(3.0, 2.0, 4.0)).times(100, spread=log(10))
    assert wider.log10 == pytest.approx((5.0, 5 - 2**0.5, 5 + 2**0.5))
    assert certain(7).times(1.0, log(2)).low == pytest.approx(3.5)
    assert certain(0).to_dict()["mean"] == 0
