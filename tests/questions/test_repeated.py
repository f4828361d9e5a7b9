"""Counts that are repeated: their times, and their ends."""

import json
import re
from statistics import fmean, stdev

import pytest
from support.boards import board, board_file
from support.processes import Run, assert_mistake

from enumerator.questions import repeated
from enumerator.questions.count import CountAnswer
from enumerator.questions.count import count as count_once
from enumerator.questions.repeated import repeat_count, summarize
from enumerator.run.endings import Interrupted, RunLostError
from enumerator.run.plan import Plan

TIME = r"[\d.]+ (s|ms|µs)"


@pytest.mark.parametrize("seconds", [[0.5], [0.25, 0.75], [3.0, 1.0, 1.0, 7.5]])
def test_times_are_summarized_as_the_library_does(seconds: list[float]) -> None:
    times = summarize(seconds)
    assert times.number == len(seconds)
    assert times.mean == pytest.approx(fmean(seconds))
    assert times.deviation == pytest.approx(stdev(seconds) if len(seconds) > 1 else 0.0)
    assert (times.least, times.most) == (min(seconds), max(seconds))


def test_a_repeated_count_is_shown_with_its_times(ask: Run) -> None:
    path = board_file("1b")
    found = json.loads(ask(path, "--repeat", "4", "--json").stdout)
    assert found["solutions"] == json.loads(ask(path, "--json").stdout)["solutions"] == "7685"
    times = found["repeated"]
    assert times["number"] == 4
    assert 0 < times["least"] <= times["mean"] <= times["most"]
    assert times["least"] <= found["seconds"] <= times["most"]
    text = ask(path, "--repeat", "2").stdout
    assert re.search(rf"^  repeated +2 counts: mean {TIME} ± [\d.]+, least {TIME}, most {TIME}$", text, re.MULTILINE)
    assert re.search(rf"^  repeated +1 count: {TIME}$", ask(path, "--repeat", "1").stdout, re.MULTILINE)
    head, row = ask(path, "--repeat", "3", "--csv").stdout.splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["repeated.number"] == "3"


@pytest.mark.parametrize("other", ["--quiet", "--verify", "--time-limit=5", "--checkpoint=run.db"])
def test_what_would_not_be_timed_is_refused(ask: Run, other: str) -> None:
    name = other.partition("=")[0]
    assert_mistake(ask("--repeat", "2", other, board_file("1a")), f"{name} does not go with --repeat")


def test_an_interrupt_leaves_the_times_of_the_finished_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter([True, True, False])

    def count(*given: object, **options: object) -> CountAnswer:
        if not next(calls):
            raise KeyboardInterrupt
        return count_once(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(repeated, "count", count)
    with pytest.raises(Interrupted) as end:
        repeat_count(board("1b"), Plan(cores=1), 9)
    assert (end.value.answer.solutions, end.value.answer.repeated.number) == (7685, 2)


def test_counts_that_differ_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = iter([0, 1])
    monkeypatch.setattr(
        repeated,
        "count",
        lambda *given, **options: (one := count_once(*given, **options))._replace(
            solutions=one.solutions + next(wrong)
        ),
    )
    with pytest.raises(RunLostError, match="7685 solutions, and then others") as end:
        repeat_count(board("1b"), Plan(cores=1), 2)
    assert end.value.answer.repeated.number == 2
