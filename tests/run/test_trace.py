"""Traces: everything of a run is in them, and their sums are those of the answer."""

import json
import os
import signal
from pathlib import Path

import pytest
from gmpy2 import mpq
from support.boards import board, board_file
from support.processes import Run, seconds_of_work, started, wait_for
from support.runs import EAGER, RESTLESS, last
from support.traces import checked, ended, named

from enumerator.engines import Part, PartResult, Tally, TaskResult
from enumerator.run import trace, trace_records
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress
from enumerator.run.trace import Tracer
from enumerator.run.trace_events import totals
from enumerator.run.trace_records import TimedResult, Timing, WorkerName

SEARCH = Plan(cores=2, engine="search", pool=None, pacing=RESTLESS, usable=lambda: 2, visible=lambda: 2)


def test_a_count_on_threads_is_traced_whole() -> None:
    tracer = Tracer()
    tally = last(board("1c"), SEARCH._replace(observer=tracer))
    events = ended(tracer, tally)
    tasks = named(events, "task")
    assert tally.solutions == 134037 == sum(int(each["args"].get("solutions", 0)) for each in events)
    assert len(tasks) == tally.tasks > 20
    assert (
        sum(each["args"]["effort"] for each in tasks) + named(events, "on one core")[0]["args"]["nodes"] == tally.nodes
    )
    alone = named(events, "on one core")[0]["dur"] / 1e6
    assert sum(each["args"]["seconds"] for each in tasks) + alone == pytest.approx(tally.busy, rel=0.01)
    assert all(each["args"]["handed_out_at"] <= each["ts"] <= each["args"]["returned_at"] for each in tasks)
    assert all(each["dur"] / 1e6 >= each["args"]["seconds"] - 1e-6 for each in tasks)
    assert {len({each["tid"] for each in tasks}), len(named(events, "waits")) > 0} == {2, True}
    assert {"waits", "takes in", "hands out", "one core is at work", "no more tasks"} <= {
        each["name"] for each in events
    }


@pytest.mark.parametrize("most", [2, 9])
def test_a_trace_is_bounded_and_keeps_its_sums(most: int) -> None:
    tracer = Tracer(most_spans=most)
    tally = last(board("1c"), SEARCH._replace(observer=tracer))
    events = ended(tracer, tally)
    assert len(named(events, "task")) < tally.tasks
    assert sum(map(len, tracer.spans.values())) <= most
    assert len(tracer.loops) <= most
    assert len(events) < 20 * most + 30
    turns = sum(turn.turns for turn in tracer.loops)
    assert turns > most
    parts = [each["args"] for each in events if "budget" in each["args"]]
    assert sum(each["tasks"] for each in parts) == tally.tasks


def test_more_events_than_are_kept_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "MOST_INSTANTS", 3)
    tracer = Tracer()
    for number in range(5):
        tracer.on_event("something", number=number)
    assert (len(tracer.instants), tracer.more_instants) == (3, 2)


def test_a_count_on_one_core_is_one_event(ask: Run, tmp_path: Path) -> None:
    ask(board_file("1b"), "--trace", str(tmp_path / "it.json"))
    events = checked(json.loads((tmp_path / "it.json").read_text()))
    (one,) = (event for event in events if event["ph"] == "X")
    assert (one["name"], one["args"]["solutions"]) == ("on one core", "7685")
    found = json.loads((tmp_path / "it.json").read_text())["otherData"]
    assert found["totals"]["seconds"] == found["answer"]["seconds"] == pytest.approx(one["dur"] / 1e6, abs=1e-6)


def test_a_verification_is_an_event_after_the_count(ask: Run, tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    ask(board_file("1b"), "--verify", "--trace", str(path))
    found = json.loads(path.read_text())
    count, again = (event for event in checked(found) if event["ph"] == "X")
    answer = found["otherData"]["answer"]
    assert (count["name"], again["name"]) == ("on one core", "verification")
    assert count["dur"] / 1e6 == pytest.approx(answer["seconds"], abs=1e-6)
    assert again["ts"] / 1e6 >= answer["seconds"] - 1e-6
    assert again["dur"] / 1e6 >= answer["verified"]["seconds"] > 0


def test_an_estimate_is_no_work_of_the_count(ask: Run, tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    ask(board_file("empty"), "--engine", "search", "-c", "1", "--time-limit", "0.2", "--trace", str(path))
    count, estimate = (event for event in checked(json.loads(path.read_text())) if event["ph"] == "X")
    assert (count["name"], estimate["name"]) == ("on one core", "estimate")
    assert count["ts"] + count["dur"] == pytest.approx(estimate["ts"], abs=1)
    assert estimate["dur"] > 0


def test_tasks_of_an_engine_that_was_left_are_kept() -> None:
    """The new engine's task is a list that stands where the old one stood in memory."""
    tracer = Tracer()
    parts = [Part(1, b"", mpq(1))]
    for engine in ("search", "learning"):
        tracer.on_start(PartialCount(Tally(), 0, [], 0.0, 1.0), engine)
        tracer.on_handed_out(parts, 10, 0)
    tracer.finish(2, 0, 0, 0)
    assert [task.reason for task in tracer.lost] == ["another engine took over", "not finished"]


@pytest.mark.parametrize("engine", ["search", "contraction", "auto"])
def test_the_command_writes_a_trace_with_its_answer(ask: Run, tmp_path: Path, engine: str) -> None:
    path = str(tmp_path / "it.json")
    done = ask(board_file("1c"), "--engine", engine, "--cores", "2", "--trace", path, "--json", pacing=EAGER)
    answer = json.loads(done.stdout)
    found = json.loads(Path(path).read_text())
    assert found["otherData"]["answer"] == answer
    assert found["otherData"]["totals"]["seconds"] == answer["seconds"]
    checked(found)


def test_ledgers_and_earlier_runs_are_in_a_trace(ask: Run, tmp_path: Path) -> None:
    path, ledger = tmp_path / "it.json", str(tmp_path / "run.db")
    asked = [board_file("1c"), "--engine", "search", "--cores", "2", "--trace", str(path), "--checkpoint", ledger]
    first = ask(*asked, "--limit", "60000", pacing=RESTLESS)
    assert named(checked(json.loads(path.read_text())), "ledger written")
    assert first.returncode == 0
    again = ask(*asked, "--limit", "60000", "--json", pacing=RESTLESS)
    events = checked(json.loads(path.read_text()))
    assert json.loads(again.stdout)["ended"] == "limit"
    assert named(events, "earlier runs")[0]["args"]["nodes"] > 0


SHORT_TASKS = """
import sys
from enumerator.command.main import main
from enumerator.run.pacing import Pacing
sys.exit(main(pacing=Pacing(slice_seconds=1e-4, alone_seconds=0.01, shortest=2e-4, longest=4e-4, pool_seconds=60)))
"""
"""A program in the place of the command, most of whose time passes between two tallies."""


@pytest.mark.slow
def test_the_sums_are_those_of_an_answer_that_a_signal_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    asked = [board_file("1f"), "--engine", "search", "-c", "2", "--trace", str(path), "--json", "--no-progress"]
    with started(*asked, program=SHORT_TASKS) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    assert process.returncode == 130
    found = json.loads(path.read_text())
    checked(found)
    assert found["otherData"]["answer"] == json.loads(output)
    assert found["otherData"]["totals"]["tasks"] > 100


@pytest.mark.parametrize("after", [1, 2])
def test_a_trace_ends_with_the_tally_of_the_answer(after: int) -> None:
    """The answer has the last tally, or the one before it if an interrupt came before the last was read."""
    tracer = Tracer()
    tracer.on_start(PartialCount(Tally(), 0, [], 0.0, 1.0), "search")
    tasks = [[Part(1, b"", mpq(1))] for _ in range(4)]
    for at, parts in enumerate(tasks):
        tracer.on_handed_out(parts, 10, 0)
        if at:  # each has its result when the next one is handed out
            tracer.on_result(tasks[at - 1], TaskResult([PartResult(1, 10, 0.0, [])], 7))
        if at < 3:
            tracer.on_tally(Tally(nodes=10 * at, tasks=at + 1, effort=10 * at))
    answer = Tally(tasks=4 - after, nodes=10 * (3 - after), effort=10 * (3 - after))
    events = ended(tracer, answer)
    assert len(named(events, "task")) == 3 - after
    assert len(named(events, "task: not in the answer")) == 1


def test_what_was_at_work_when_a_run_was_interrupted_is_in_its_trace(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(progress: Progress) -> None:
        if (progress.solutions or 0) > 50_000:
            raise KeyboardInterrupt

    monkeypatch.setattr("enumerator.questions.ask.Question.watch", lambda _question, progress: interrupt(progress))
    path = tmp_path / "it.json"
    done = ask(board_file("1c"), "--engine", "search", "-c", "2", "--trace", str(path), "--json", pacing=RESTLESS)
    assert done.returncode == 130
    events = checked(json.loads(path.read_text()))
    assert json.loads(done.stdout)["ended"] == "stopped"
    assert len(named(events, "task: not finished")) <= 4


def test_a_task_that_has_no_result_at_the_end_is_not_finished() -> None:
    tracer, parts = Tracer(), [Part(1, b"", mpq(1))]
    tracer.on_start(PartialCount(Tally(), 0, [], 0.0, 1.0), "search")
    tracer.on_handed_out(parts, 10, 0)
    tracer.on_handed_out([*parts], 10, 0)
    tracer.on_lost([parts], "worker died")
    events = ended(tracer, Tally(tasks=2))
    assert [len(named(events, f"task: {why}")) for why in ("worker died", "not finished")] == [1, 1]


def test_a_thread_whose_core_a_process_has_does_not_wait_for_the_driver() -> None:
    """Two threads alternate on the one core that a process has left: from 2 s, when it answers, until 8 s."""
    now = 0.0
    tracer = Tracer(clock=lambda: now)
    tracer.on_start(PartialCount(Tally(), 0, [], 0.0, 1.0), "search")

    def work(thread: int, began: float, ended: float) -> None:
        nonlocal now
        now = began
        parts = [Part(1, b"", mpq(1))]
        tracer.on_handed_out(parts, 10, 0)
        now = ended
        result = TimedResult([PartResult(0, 1, ended - began, [])], 7)
        result.timing = Timing(began, ended, WorkerName(trace_records.machine_name(), os.getpid(), thread))
        tracer.on_result(parts, result)
        tracer.on_tally(Tally())

    work(1, 0.0, 1.0)
    work(2, 0.0, 1.5)
    now = 1.2
    tracer.on_request(1)
    now = 2.0
    tracer.on_answer(99)
    for thread, began in ((1, 2.0), (2, 4.0), (1, 6.0)):
        work(thread, began, began + 2)
    now = 8.0
    events = ended(tracer, Tally(tasks=5, nodes=5, effort=5))
    seated = [
        (event["tid"], event["ts"] / 1e6, event["dur"] / 1e6) for event in named(events, "its core has a process")
    ]
    first, second = sorted({event["tid"] for event in named(events, "task")})
    assert sorted(seated) == [(first, 4.0, 2.0), (second, 2.0, 2.0), (second, 6.0, 2.0)]
    waits = [(event["tid"], event["ts"] / 1e6, event["dur"] / 1e6) for event in named(events, "waits for the driver")]
    assert sorted(waits) == [(first, 1.0, 1.0), (second, 1.5, 0.5)]
    (start,) = named(events, "process starts")
    assert (start["ts"] / 1e6, start["dur"] / 1e6) == pytest.approx((1.2, 0.8))
    (idle,) = (event for event in events if event["pid"] == start["pid"] and event.get("cat") == "wait")
    assert (idle["name"], idle["ts"] / 1e6, idle["dur"] / 1e6) == ("no more tasks", 2.0, 6.0)
    found = totals(tracer)
    assert (found["threads"], found["processes"]) == (2, 1)


def test_a_full_disk_is_said_and_the_count_is_printed(ask: Run) -> None:
    done = ask(board_file("1b"), "--trace", "/dev/full", "--quiet")
    assert (done.stdout, done.returncode) == ("7685\n", 1)
    assert done.stderr == "enumerate: /dev/full: No space left on device; the trace is not written\n"


def test_the_clock_of_another_machine_is_placed_between_hand_out_and_return() -> None:
    now = 100.0
    tracer = Tracer(clock=lambda: now)
    for offset, machine in ((0.0, trace_records.machine_name()), (5000.0, "afar")):
        parts = [board("1a")]
        for began, seconds in ((101.0, 0.5), (102.0, 0.25)):
            now = began - 0.1
            tracer.on_handed_out(parts, 10, 0)  # type: ignore[arg-type]
            now = began + seconds + 0.1
            result = TimedResult([PartResult(1, 1, seconds, [])], 7)
            result.timing = Timing(began + offset, began + offset + seconds, WorkerName(machine, 7, 7))
            tracer.on_result(parts, result)  # type: ignore[arg-type]
    tracer.finish(4, 4, 4, 4)
    assert len(tracer.placed()) == 2
    for spans in tracer.placed().values():
        assert [span.began for span in spans] == pytest.approx([101, 102], abs=0.1001)
        assert [span.ended - span.began for span in spans] == pytest.approx([0.5, 0.25])


def test_a_worker_that_does_not_note_its_time_is_placed_by_its_seconds() -> None:
    tracer = Tracer()
    parts = [board("1a")]
    tracer.on_handed_out(parts, 10, 0)  # type: ignore[arg-type]
    tracer.on_result(parts, TaskResult([PartResult(1, 1, 0.0, [])], 7))  # type: ignore[arg-type]
    tracer.finish(1, 1, 1, 1)
    assert [each.process for each in tracer.placed()] == [7]
