"""The progress of a question: functions, and bars on a terminal and in a notebook."""

import re
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.boards import BOARDS, board
from support.pigeons import pigeon_board, pigeon_text
from support.processes import on_a_terminal, run_python

import enumerator as en
from enumerator.engines import ALMOST_ALL, Tally
from enumerator.questions import progress_bar as bars
from enumerator.run.progress import Meter, Progress

PROGRAM = f"""
import enumerator as en
from enumerator.questions import progress_bar as progress
progress.FIRST_SECONDS = progress.REDRAW_SECONDS = 0.01
print(en.count(en.read({str(BOARDS / "1d.txt")!r}), engine="search", cores=1, progress=True))
"""
"""A count of 0.2 s, with a bar that waits for less."""


def test_a_function_is_called_with_the_progress() -> None:
    seen: list[en.Progress] = []
    number = en.count(board("1d"), engine="search", cores=1, progress=seen.append)
    shares = [progress.share for progress in seen if progress.share is not None]
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    assert all(0 < (progress.solutions or 0) <= number for progress in seen)


@pytest.mark.slow
def test_a_bar_is_drawn_on_a_terminal_and_removed() -> None:
    shown = on_a_terminal(program=PROGRAM)
    frames = re.findall(r"(\d+\.\d) % .*?([\d.]+ s), about ([\d.]+ s) left", shown)
    assert frames, shown
    assert shown.endswith("1035153\n")  # see boards/README.md
    assert shown.rindex("left") < shown.rindex("\x1b[2K")  # the line is erased


def test_there_is_no_bar_in_a_pipe_of_python() -> None:
    done = run_python(PROGRAM, status=0)
    assert (done.stdout, done.stderr) == ("1035153\n", "")


@pytest.mark.parametrize("wanted", [None, False])
def test_there_is_no_bar_unless_it_is_asked_for(wanted: bool | None) -> None:
    program = PROGRAM.replace("progress=True", f"progress={wanted}")
    assert on_a_terminal(program=program) == "1035153\n"


class Output:
    """The output of a notebook's cell, which can be updated."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def display(self, content: dict[str, str], *, raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        self.shown.append(content)
        return SimpleNamespace(update=self.update)

    def update(self, content: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(content)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Output:
    """Pretend that Python runs as the kernel of a notebook."""
    output = Output()
    for name in ("IPython", "IPython.core", "IPython.core.getipython", "IPython.display"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setattr(sys.modules["IPython.core.getipython"], "get_ipython", lambda: shell, raising=False)
    monkeypatch.setattr(sys.modules["IPython.display"], "display", output.display, raising=False)
    monkeypatch.setattr(bars, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(bars, "REDRAW_SECONDS", 0.0)
    return output


def test_a_bar_is_drawn_in_a_notebook_and_removed(notebook: Output) -> None:
    en.count(board("2e"), engine="search", cores=1, limit=1_000_000, progress=True)
    *drawn, last = notebook.shown
    assert len(drawn) > 1
    for content in drawn:
        assert re.search(r'<progress max="1" value="0\.\d+"', content["text/html"])
        assert re.search(r"\d % · [\d,]+ solutions, [\d,]+/s · .* left", content["text/plain"])
    assert last == {"text/html": "", "text/plain": ""}


def test_a_bar_in_a_notebook_is_removed_after_an_error(notebook: Output) -> None:
    with pytest.raises(en.OutOfTimeError):
        en.count("." * 256, time_limit=0.1, progress=True)
    assert notebook.shown[-1] == {"text/html": "", "text/plain": ""}


def test_a_bar_without_a_share_has_no_value(notebook: Output) -> None:
    with bars.ProgressBar(is_wanted=True) as bar:
        bar.show(Progress(None, 12))
    assert '<progress max="1" style' in notebook.shown[0]["text/html"]
    assert "12 solutions" in notebook.shown[0]["text/plain"]


def test_python_at_a_prompt_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not bars.is_notebook()
    for name in ("IPython", "IPython.core", "IPython.core.getipython"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["IPython.core.getipython"], "get_ipython", lambda: None, raising=False)
    assert not bars.is_notebook()


@pytest.mark.parametrize(
    ("share", "percent"),
    [
        (0.0, "0.0 %"),
        (1e-90, "1e-88 %"),
        (5e-324, "5e-322 %"),
        (0.5, "50.0 %"),
        (0.9999, "99.9 %"),
        (ALMOST_ALL, "99.9 %"),
        (1.0, "100 %"),
        (None, ""),
    ],
)
def test_a_share_is_shown_in_percent(share: float | None, percent: str) -> None:
    from enumerator.questions.bars import describe

    assert describe(en.Progress(share, 5), 1.0).percent == percent


# --------------------------------------------------------------------------------------------- hard boards


@pytest.mark.parametrize("cores", [1, 2])
def test_a_board_without_a_solution_so_far_has_an_effort_and_promises_no_time(cores: int) -> None:
    seen: list[en.Progress] = []
    with pytest.raises(en.OutOfTimeError):
        en.count(pigeon_board(), engine="learning", cores=cores, time_limit=0.4, progress=seen.append)
    efforts = [known.effort or 0 for known in seen]
    assert efforts == sorted(efforts)
    assert efforts[-1] > efforts[0]
    assert all((known.solutions, known.unit, known.predicts) == (0, "steps", False) for known in seen)
    assert (seen[-1].rate or 0) > 0
    if cores == 1:
        assert all(known.share is None for known in seen)


def test_the_bar_of_a_hard_board_tells_its_steps() -> None:
    program = "\n".join(
        [
            "import enumerator as en",
            "from enumerator.questions import progress_bar as progress",
            "progress.FIRST_SECONDS = progress.REDRAW_SECONDS = 0.02",
            f"board = en.Board({pigeon_text()!r})",
            "try: en.count(board, engine='learning', cores=1, time_limit=0.3, progress=True)",
            "except en.OutOfTimeError: print('late')",
        ]
    )
    shown = on_a_terminal(program=program)
    assert re.search(r"no solution yet, [\d,]+ steps, [\d,]+/s", shown), shown
    assert " left" not in shown
    assert shown.endswith("late\n")


def test_the_speed_of_an_engine_is_measured_anew_when_another_one_goes_on() -> None:
    now = 0.0
    meter = Meter(lambda: now)
    assert meter.read("search", 100, 0.1, 0).rate is None
    now = 2.0
    assert meter.read("search", 300, 0.2, 0).rate == 100
    now = 3.0
    assert meter.read("learning", 50, 0.1, 0).rate is None  # its beginning is unknown
    now = 4.0
    known = meter.read("learning", 80, 0.1, 0)
    assert (known.rate, known.unit, known.predicts) == (30, "steps", False)


def test_the_share_of_a_limit_predicts_the_time_that_is_left() -> None:
    assert Meter().read("learning", 5, 0.001, 10, limit=20)[:2] == (0.5, 10)
    assert Meter().read("learning", 5, 0.001, 10, limit=20).predicts
    assert not Meter().read("learning", 5, 0.7, 10, limit=20).predicts
    assert Meter().read("search", 5, 0.7, 10).share == 0.7


def test_a_share_without_a_solution_is_unknown_where_shares_do_not_predict() -> None:
    learning = Tally(engine="learning", share=0.2, effort=9)
    assert Meter().read_tally(learning).share is None
    assert Meter().read_tally(learning._replace(solutions=1)).share == 0.2
    assert Meter().read_tally(learning._replace(tasks=3)).share == 0.2  # of parts that are finished
    assert Meter().read_tally(learning._replace(engine="search")).share == 0.2


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (Progress(0.5, 500), "500 solutions, 50/s"),
        (Progress(0.5, 500, effort=7000, unit="nodes", rate=70.0), "500 solutions, 50/s"),
        (Progress(0.5, 1, effort=7000, unit="nodes", rate=70.0), "1 solution, 7,000 nodes, 70/s"),
        (Progress(None, 0, effort=7000, unit="steps"), "no solution yet, 7,000 steps"),
        (Progress(0.5, 500, effort=7000, unit="steps", rate=70.0, predicts=False), "500 solutions, 7,000 steps, 70/s"),
        (Progress(0.5, effort=7000, unit="steps", rate=70.0), "7,000 steps, 70/s"),
        (Progress(0.5, boards=1, effort=7, unit="steps", predicts=False), "1 board; a hard one: 7 steps"),
        (Progress(0.5, boards=500), "500 boards, 50/s"),
        (Progress(0.5, 500, "puzzles", 1_000), "500 of 1,000 puzzles, 50/s"),
        (Progress(0.0, 0, "puzzles", 1, effort=70, unit="clues tested"), "no puzzle yet, 70 clues tested"),
        (Progress(0.5), ""),
    ],
)
def test_solutions_are_shown_or_where_they_are_rare_the_effort(known: Progress, text: str) -> None:
    from enumerator.questions.bars import describe_found

    assert describe_found(known, 10.0) == text


@pytest.mark.parametrize(("predicts", "times"), [(True, "10 s, about 10 s left"), (False, "10 s")])
def test_a_time_left_is_claimed_only_from_a_share_that_predicts(predicts: bool, times: str) -> None:
    from enumerator.questions.bars import describe

    assert describe(Progress(0.5, 1, predicts=predicts), 10.0).times == times
