"""The progress of a question: functions, and bars on a terminal and in a notebook."""

import re
import subprocess
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from helpers import BOARDS, board, on_a_terminal

import enumerator as en
from enumerator.api import progress as bars
from enumerator.run.progress import Progress

PROGRAM = f"""
import enumerator as en
print(en.count(en.read({str(BOARDS / "2e.txt")!r}), engine="search", cores=1, progress=True))
"""


def test_a_function_is_called_with_the_progress() -> None:
    seen: list[en.Progress] = []
    number = en.count(board("2e"), engine="search", cores=1, progress=seen.append)
    shares = [progress.share for progress in seen if progress.share is not None]
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    assert all(0 < (progress.solutions or 0) <= number for progress in seen)


def test_a_bar_is_drawn_on_a_terminal_and_removed() -> None:
    shown = on_a_terminal(program=PROGRAM)
    frames = re.findall(r"(\d+\.\d) % .*?([\d.]+ s), about ([\d.]+ s) left", shown)
    assert frames, shown
    assert shown.endswith("7305949\n")
    assert shown.rindex("left") < shown.rindex("\x1b[2K")  # the line is erased


def test_there_is_no_bar_in_a_pipe_of_python() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("7305949\n", "")


@pytest.mark.parametrize("wanted", [None, False])
def test_there_is_no_bar_unless_it_is_asked_for(wanted: bool | None) -> None:
    program = PROGRAM.replace("progress=True", f"progress={wanted}, limit=3_000_000")
    assert on_a_terminal(program=program) == "3000000\n"


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


@pytest.mark.parametrize(("share", "percent"), [(0.0, "0.0 %"), (1e-90, "1e-88 %"), (0.5, "50.0 %"), (None, "")])
def test_a_share_is_shown_in_percent(share: float | None, percent: str) -> None:
    from enumerator.api.bars import describe

    assert describe(en.Progress(share, 5), 1.0).percent == percent
