"""Timelines: stretches and losses worked out by hand, simulated ones, and their figure."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from support.boards import ROOT, board
from support.processes import Run as Ask

from bench.figures.timeline import draw_timelines
from bench.simulation.forecast import simulate_count
from bench.simulation.world import Costs, World
from bench.study import timeline
from bench.study.tasks import walk_pieces
from bench.study.timeline import CUTOFFS, Simulation, Traced, count, settings_of, summary_lines
from bench.tables.rows import Cost, Piece, Stretch
from bench.tables.table import Table, read
from bench.tables.timeline import by_setting, loss, stretches, usage
from enumerator.run.trace import Tracer


def a_stretch(worker: int, began: float, ended: float, busy: float = 0.0, cores: int = 2) -> Stretch:
    return Stretch("x", "default", cores, False, 10.0, worker, began, ended, busy or ended - began, 1)


def test_losses_worked_out_by_hand() -> None:
    rows = [a_stretch(0, 0, 1), a_stretch(1, 2, 8), a_stretch(2, 3, 5), a_stretch(2, 6, 10, 2)]
    lost = loss(rows)
    assert (lost.full_from, lost.full_until) == (3, 8)
    assert lost.start == pytest.approx((1 + 2 + 1) / 20)  # one of two, then both, then one of two
    assert lost.between == pytest.approx((1 + 2 * 0.5) / 20)  # a gap, and half of a stretch with short gaps
    assert lost.end == pytest.approx(2 * 1.5 / 20)
    assert lost.busy == pytest.approx((1 + 6 + 2 + 2) / 20)


def test_workers_that_never_work_together_have_lost_half() -> None:
    lost = loss([a_stretch(1, 0, 5), a_stretch(2, 5, 10)])
    assert lost.busy == pytest.approx(0.5)
    assert (lost.start, lost.end) == (0, 0)


def test_the_use_of_the_cores_covers_the_whole_time() -> None:
    parts = usage([a_stretch(1, 2, 8), a_stretch(2, 3, 5)])
    assert [(part.began, part.ended, part.workers) for part in parts] == [
        *((0, 2, 0), (2, 3, 1), (3, 5, 2), (5, 8, 1), (8, 10, 0)),
    ]


def simulated(*seconds: float, cores: int = 2, costs: Costs | None = None) -> tuple[Tracer, float]:
    """Return the trace of a simulated count of subtrees of some seconds each, after a start of 0.06 s."""
    share = 1 / (len(seconds) + 1)
    pieces = [Piece("x", 0, None, 1e40, 1.0, 0, 0, 0.0), Piece("x", 1, 0, 10.0, share, 1, 20_000, 0.06)]
    pieces += [Piece("x", 2 + at, 0, 1e6 * time, share, 1, 100_000, time) for at, time in enumerate(seconds)]
    tracers: list[Tracer] = []

    def watch(world: World) -> Tracer:
        tracers.append(Tracer(world.clock))
        return tracers[0]

    forecast = simulate_count(pieces, costs or Costs(), cores, watch=watch)
    tracers[0].finish(forecast.tasks, 0, 0, 0)
    return tracers[0], forecast.seconds


def test_a_simulated_count_is_traced_by_its_own_clock() -> None:
    tracer, seconds = simulated(3, 2, 1)
    rows = list(stretches(tracer, "x", "default", 2, is_simulated=True))
    assert seconds == pytest.approx(3.06)
    found = [(row.worker, row.began, row.ended, row.tasks) for row in rows]
    alone, *others = sorted(found, key=lambda row: (row[0] > 0, row[3]))
    assert alone == pytest.approx((0, 0.0, 0.06, 0))
    assert [row[3] for row in others] == [1, 2]  # 2 and 1 without a gap are one stretch
    assert all(row[1:3] == pytest.approx((0.06, 3.06)) for row in others)
    lost = loss(rows)
    assert (lost.start, lost.between, lost.end) == pytest.approx((0.06 / 6.12, 0, 0))


def test_waiting_for_the_driver_is_a_loss_of_the_simulated_machine() -> None:
    tracer, seconds = simulated(1, 1, costs=Costs(hand_out=0.25))
    rows = list(stretches(tracer, "x", "default", 2, is_simulated=True))
    assert seconds == pytest.approx(0.06 + 0.5 + 1)
    lost = loss(rows)
    assert lost.start == pytest.approx((0.06 + 2 * 0.25 + 0.25) / (2 * seconds))
    assert lost.end == pytest.approx(0.25 / (2 * seconds))


@pytest.mark.slow
def test_the_figure_has_a_bar_a_worker_and_the_use_of_the_cores() -> None:
    rows = [a_stretch(0, 0, 1), a_stretch(1, 2, 8), a_stretch(2, 3, 5), a_stretch(2, 6, 10, 2)]
    many = [Stretch("x", "default", 64, True, 2.0, 1 + at, 0.1, 1.9, 1.8, 3) for at in range(64)]
    figure = draw_timelines([*rows, *many])
    bars, used, bars64, used64 = figure.axes
    assert bars.get_title("left").startswith("x, 2 cores, default: 10 s, 4 tasks; without work: 20.0% at the start")
    assert bars64.get_title("left").startswith("x, 64 simulated cores, default: 2.0 s, 192 tasks")
    assert [label.get_text() for label in bars.get_yticklabels()] == ["one core", "worker 1", "worker 2"]
    assert {text.get_text() for text in used.texts} == {"idle 20.0%", "idle 15.0%"}
    ((times, shares),) = [line.get_data() for line in used.get_lines()]
    assert dict(zip(times, shares, strict=True))[times[180]] == pytest.approx(100)  # at 4.5 s both are at work
    assert used64.get_ylim()[1] > 100
    assert [label.get_text() for label in bars64.get_yticklabels()] == ["worker 1", "worker 64"]  # no beginning


def test_a_core_without_a_task_has_an_empty_bar() -> None:
    bars, _ = draw_timelines([a_stretch(1, 0, 10, cores=3), a_stretch(2, 0, 4, cores=3)]).axes
    assert [label.get_text() for label in bars.get_yticklabels()] == ["worker 1", "worker 2", "worker 3"]
    low, high = bars.get_ylim()
    assert low > 3 > 1 > high > 0
    colours = {tuple(bar.get_facecolor()[0]) for bar in bars.collections if len(bar.get_facecolor())}
    assert len(colours) == 1


def test_a_count_in_its_own_process_is_traced_whole() -> None:
    for setting, cutoff in (("default", 0), ("good cut-off", 10**33)):
        found = count(Traced(str(ROOT / "boards" / "1c.txt"), "1c", setting, 2, cutoff))
        assert found["solutions"] == "134037"
        rows = [Stretch(*row) for row in found["rows"]]  # type: ignore[attr-defined]
        assert {(row.board, row.setting, row.cores, row.is_simulated) for row in rows} == {("1c", setting, 2, False)}
        assert all(0 <= row.began <= row.ended <= row.total + 1e-6 for row in rows)
        assert all(0 <= row.busy <= row.ended - row.began + 1e-9 for row in rows)
        assert 0 < loss(rows).busy <= 1


@pytest.mark.slow
def test_more_workers_than_cores_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "usable_cores", lambda: 1)
    settings = settings_of(board("1b"), 2)
    assert list(settings) == [f"{name} (oversubscribed: 1 core)" for name in ("default", *CUTOFFS)]
    monkeypatch.setattr(timeline, "usable_cores", lambda: 2)
    assert list(settings_of(board("1b"), 2)) == ["default", *CUTOFFS]


def names_in(lines: Iterable[str]) -> list[str]:
    """Return the boards and settings of a printed table: numbers are rounded once more when they are read again."""
    return [line[:25] for line in lines]


@pytest.mark.slow
def test_the_command_traces_every_setting_and_resumes(
    ask_bench: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_here(_module: str, text: str, timeout: float) -> str:
        assert timeout == timeline.LIMIT_SECONDS
        return json.dumps(count(Traced(**json.loads(text))))

    published = tmp_path / "published"
    Table(published / "tasks.csv.gz", Piece, "tasks").add(*walk_pieces("1b", board("1b"), 1_000))
    Table(published / "costs.csv", Cost, "tasks").add(Cost("hand out", 1e-5))
    monkeypatch.setattr(timeline, "RESULTS", published)
    monkeypatch.setattr(timeline, "run_module", run_here)
    asked = ["timeline", "--boards", "1b", "--cores", "2", "--simulated", "8", "--results", str(tmp_path)]
    done = ask_bench(*asked)
    assert (done.returncode, done.stderr) == (0, "")
    rows = read(tmp_path / "timeline.csv.gz", Stretch)[1]
    settings = ["default", *CUTOFFS]
    assert list(by_setting(rows)) == [*(("1b", setting, 2, False) for setting in settings), ("1b", "default", 8, True)]
    assert names_in(done.stdout.splitlines()[:6]) == names_in(summary_lines(rows))
    assert (tmp_path / "timeline.svg").exists()
    again = ask_bench(*asked).stdout.splitlines()
    assert (names_in(again), again[-1]) == (names_in(done.stdout.splitlines()), f"drawn: {tmp_path}/timeline.svg")
    assert read(tmp_path / "timeline.csv.gz", Stretch)[1] == rows  # nothing was left to do
    monkeypatch.setattr(timeline, "find_spec", lambda _name: None)  # nothing is drawn
    unknown = ask_bench(*asked[:2], "4x4-many", *asked[3:], "--fresh")
    assert (unknown.returncode, unknown.stdout.count("4x4-many")) == (0, 4)
    assert unknown.stderr == "bench: not simulated: 4x4-many; `bench tasks` makes what is needed\n"


def test_a_simulation_is_scaled_to_the_measured_time() -> None:
    tracer, _ = Simulation([Piece("x", 0, None, 1e10, 1.0, 7, 1000, 0.01)], [], [], "x").trace(64)
    assert tracer.ended - tracer.began == pytest.approx(0.01)
