"""`python -m bench regret`: what is measured, what is compared, and what is judged."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from support.boards import board, board_file

from bench.figures.regret import DOWN, UP, draw_regrets
from bench.study import regret
from bench.study.regret import Trial, best, boards_to_count, measure_all, regrets, summary_lines
from bench.tables.rows import Regret
from bench.tables.table import Table, read
from enumerator.board import Board
from enumerator.engines.contraction.tables import line_table

AUTO, SEARCH, LEARNING = "auto", "search", "learning"


def row(name: str, number: int, engine: str, seconds: float, cores: int = 1, is_complete: bool = True) -> Regret:
    chosen = LEARNING if engine == AUTO else engine
    return Regret(name, number, cores, engine, chosen, 40, is_complete, seconds, cores * seconds, 7)


ROWS = [
    row("a", 0, AUTO, 1.2), row("a", 0, SEARCH, 1.0), row("a", 0, LEARNING, 2.4, is_complete=False),
    row("a", 1, AUTO, 0.05), row("a", 1, SEARCH, 0.01), row("a", 1, LEARNING, 0.02),
    row("b", 0, AUTO, 3.2), row("b", 0, SEARCH, 2.0),
    row("a", 0, AUTO, 1.9, 2), row("a", 0, SEARCH, 1.8, 2),
]  # fmt: skip


def test_auto_is_compared_with_the_better_engine_that_has_ended() -> None:
    found = {(one.board, one.rearrangement, one.cores): one for one in regrets(ROWS)}
    assert {key: one.better.engine for key, one in found.items()} == dict.fromkeys(found, SEARCH)
    assert found["a", 0, 1].ratio == found["a", 0, 1].cpu_ratio == pytest.approx(1.2)
    assert found["a", 1, 1].ratio == pytest.approx(5)
    assert found["a", 1, 1].excess == pytest.approx(3)


def test_the_worst_is_named_and_judged() -> None:
    lines = list(summary_lines(ROWS))
    assert [line.split()[:3] for line in lines[1:4]] == [["a", "1", "2"], ["b", "1", "1"], ["a", "2", "1"]]
    one, judged, _, two, *_ = lines[4:]
    assert judged.endswith("and 20 ms; × 5.00 by work")
    assert one == "1 core, 3 counts: time of auto / better engine: 50% 1.60, 90% 5.00, 97% 5.00, 100% 5.00"
    assert judged.startswith("misses  worst: a, rearrangement 1: auto 0.050 s, search 0.010 s; 2 of 3 above 1.5")
    assert two.startswith("meets   worst: a, rearrangement 0: auto 1.900 s")
    assert lines[-1] == (
        "misses  2 cores take at most 1.58 times as long as one (a, rearrangement 0: 1.900 s); 1 of 1 above 1.05;"
        " × 3.17 by work"
    )


def test_the_picture_has_a_panel_for_each_number_of_cores() -> None:
    figure = draw_regrets(ROWS)
    assert figure
    one, two = figure.axes
    assert (one.get_title("left"), two.get_title("left")) == ("1 core", "2 cores")
    points = {float(x): float(y) for x, y in zip(*one.get_lines()[0].get_data(), strict=True)}
    assert points == pytest.approx({1.0: 1.2, 0.01: 5.0, 2.0: 1.6})
    assert [text.get_text() for text in one.texts] == ["a, rearrangement 1"]
    assert draw_regrets([]) is None
    assert draw_regrets([row("a", 0, AUTO, 1.0)]) is None


def test_every_engine_counts_the_board() -> None:
    found = list(measure_all(Trial("one", 3, "4x4", str(board("16x16-unique")), 1, 20.0)))
    assert [one.engine for one in found] == [AUTO, SEARCH, LEARNING]
    assert {(one.board, one.rearrangement, one.cores) for one in found} == {("one", 3, 1)}
    assert {one.solutions for one in found if one.is_complete} == {1}
    assert all(one.seconds > 0 and one.cpu > 0 for one in found)


def test_a_count_that_was_ended_is_drawn_with_an_arrow() -> None:
    """`auto` of a takes at least 30 times as long, that of b at most half as long."""
    rows = [
        row("a", 3, AUTO, 60.0, is_complete=False), row("a", 3, SEARCH, 2.0),
        row("b", 0, AUTO, 1.0), row("b", 0, SEARCH, 2.0, is_complete=False),
        row("c", 0, AUTO, 60.0, is_complete=False), row("c", 0, SEARCH, 60.0, is_complete=False),
    ]  # fmt: skip
    figure = draw_regrets(rows)
    assert figure
    (axis,) = figure.axes
    drawn = {line.get_marker(): [*map(tuple, line.get_xydata())] for line in axis.get_lines()[:-1]}
    assert drawn == {UP: [(2.0, 30.0)], DOWN: [(2.0, 0.5)]}
    assert [text.get_text() for text in axis.texts] == ["a, rearrangement 3"]
    bottom, top = axis.get_ylim()
    assert bottom < 0.5 < 30 < top


def test_the_least_time_of_complete_counts_is_taken() -> None:
    times = [(0.01, False), (0.02, True), (0.03, True), (0.06, True)]
    found = best([row("a", 0, SEARCH, seconds, 2, is_complete) for seconds, is_complete in times])
    assert (found.seconds, found.cpu, found.is_complete) == (0.02, 0.04, True)


def test_engines_count_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search takes 20 ms, learning does not end in time, and auto takes 1 s."""
    order = []

    def counted(trial: Trial, _board: Board, engine: str, limit: float) -> Regret:
        order.append((engine, round(limit, 3)))
        seconds = {AUTO: 1.0, SEARCH: 0.02, LEARNING: limit}[engine]
        return row(trial.name, 0, engine, seconds, is_complete=engine != LEARNING)

    monkeypatch.setattr(regret, "count", counted)
    list(measure_all(Trial("one", 0, "4x4", str(board("16x16-unique")), 1, 20.0)))
    first, late = [(AUTO, 20.0), (SEARCH, 2.02), (LEARNING, 2.02)], (SEARCH, 2.02)
    assert order == [*first, *first[:2], late]


def test_each_count_makes_the_tables_of_the_contraction() -> None:
    regret.count(Trial("one", 0, "3x3", str(board("1a")), 1, 20.0), board("1a"), "contraction", 20.0)
    assert line_table.cache_info().currsize
    regret.forget()
    assert not line_table.cache_info().currsize


@pytest.mark.parametrize(("seconds", "times"), [([0.9, 0.1], 2), ([0.9, 0.9, 0.9], 3), ([0.1], 1)])
def test_what_misses_is_measured_again(
    seconds: list[float], times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(seconds)

    def measured(*_: object, **__: object) -> str:
        return json.dumps([asdict(row("a", 0, AUTO, next(left))), asdict(row("a", 0, SEARCH, 0.2))])

    monkeypatch.setattr(regret, "run_module", measured)
    table = Table(tmp_path / "regret.csv", Regret, "regret")
    regret.measure(table, Trial("a", 0, "4x4", "", 1, 1.0), {})
    assert [(one.engine, one.seconds) for one in table.rows] == [(AUTO, min(seconds)), (SEARCH, 0.2)]
    assert len(seconds) - len(list(left)) == times


def test_what_takes_longer_on_two_cores_is_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([0.3, 0.21, 0.1])
    monkeypatch.setattr(regret, "run_module", lambda *_, **__: json.dumps([asdict(row("a", 0, AUTO, next(left), 2))]))
    table = Table(tmp_path / "regret.csv", Regret, "regret")
    table.add(row("a", 0, AUTO, 0.2))
    regret.measure(table, Trial("a", 0, "4x4", "", 2, 1.0), {})
    assert (table.rows[-1].seconds, list(left)) == (0.21, [0.1])


def test_a_count_that_differs_ends_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path / "regret.csv", Regret, "regret")
    found = row("16x16-unique", 2, AUTO, 0.1)
    monkeypatch.setattr(regret, "run_module", lambda *_, **__: json.dumps([asdict(found)]))
    trial = Trial("16x16-unique", 2, "4x4", str(board("16x16-unique")), 1, 1.0)
    with pytest.raises(SystemExit, match="16x16-unique has 1 solutions, and auto has counted 40"):
        regret.measure(table, trial, {"16x16-unique": 1})
    regret.measure(table, trial, {})
    assert read(tmp_path / "regret.csv", Regret)[1] == [found]


def test_boards_of_all_sizes_are_measured(shared: Path) -> None:
    boards, known = boards_to_count(None)
    assert {one.shape.size for one in boards.values()} == {9, 16, 25}
    assert known["25-0, 2 clues fewer"] == 152_172
    assert known["large/25x25-a-8"] == 19_133
    assert list(boards_to_count([board_file("1a")])[0].values()) == [board("1a")]
    assert shared.is_dir()
