"""`python -m bench regret`: what is measured, what is compared, and what is judged."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from support.boards import board, board_file

from bench.figures.regret import draw_regrets
from bench.study import regret
from bench.study.regret import Trial, boards_to_count, least, measure_all, regrets, summary_lines
from bench.tables.rows import Regret
from bench.tables.table import Table, read

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
    assert one == "1 core, 3 counts: time of auto / better engine: 50% 1.60, 90% 5.00, 97% 5.00, 100% 5.00"
    assert judged.startswith("misses  worst: a, rearrangement 1: auto 0.050 s, search 0.010 s; 2 of 3 above 1.5")
    assert two.startswith("meets   worst: a, rearrangement 0: auto 1.900 s")
    assert lines[-1].startswith("misses  2 cores take at most 1.57 times as long as one and 20 ms (a, rearrangement 0)")


def test_the_picture_has_a_panel_for_each_number_of_cores() -> None:
    figure = draw_regrets(ROWS)
    assert figure
    one, two = figure.axes
    assert (one.get_title("left"), two.get_title("left")) == ("1 core", "2 cores")
    points = {float(x): float(y) for x, y in zip(*one.get_lines()[0].get_data(), strict=True)}
    assert points == pytest.approx({1.0: 1.2, 0.01: 5.0, 2.0: 1.6})
    assert [text.get_text() for text in one.texts] == ["a"]
    assert draw_regrets([]) is None
    assert draw_regrets([row("a", 0, AUTO, 1.0)]) is None


def test_every_engine_counts_the_board() -> None:
    found = list(measure_all(Trial("one", 3, "4x4", str(board("16x16-unique")), 1, 20.0)))
    assert [one.engine for one in found] == [AUTO, SEARCH, LEARNING]
    assert {(one.board, one.rearrangement, one.cores) for one in found} == {("one", 3, 1)}
    assert {one.solutions for one in found if one.is_complete} == {1}
    assert all(one.seconds > 0 and one.cpu > 0 for one in found)


def test_the_least_time_of_complete_counts_is_taken() -> None:
    times = iter([(0.5, False), (0.02, True), (0.03, True), (0.06, True)])

    def measured() -> Regret:
        seconds, is_complete = next(times)
        return row("a", 0, SEARCH, seconds, 2, is_complete)

    class Clock:
        now = 0.0

        def __call__(self) -> float:
            self.now += 0.02
            return self.now

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regret, "perf_counter", Clock())
        found = least(measured, 10.0)
    assert (found.seconds, found.cpu, found.is_complete) == (0.02, 0.04, True)


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
