"""The walk through the study: every cell of the notebook runs, and its figures are on the page."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from support.cases import needs_sources
from support.processes import Run as Ask

from bench.study.lesson import NOTEBOOK, cells, inline, with_values


@needs_sources
def test_the_notebook_is_one_of_jupyter_and_holds_no_outputs() -> None:
    notebook = json.loads(NOTEBOOK.read_text())
    assert (notebook["nbformat"], notebook["metadata"]["language_info"]) == (4, {"name": "python"})
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert cell["cell_type"] in ("markdown", "code")
        assert cell.get("outputs", []) == []
    assert [is_parameters for is_code, _, is_parameters in cells() if is_code].count(True) == 1


@needs_sources
@pytest.mark.slow
def test_every_cell_runs_at_short_settings(ask_bench: Ask, tmp_path: Path) -> None:
    short = ["--names", "1b", "2b", "1c", "--rounds", "1", "--parts", "1", "4"]
    done = ask_bench("lesson", *short, "--results", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/lesson.html: 4 figures\n"), done.stderr
    page = (tmp_path / "lesson.html").read_text()
    titles = ["Sequential", "Parallel", "A cut-off", "Budgets", "Amdahl&#x27;s bound", "Correlations"]
    assert re.findall(r"<h2>(.*?)</h2>", page)[1:] == titles
    shown = unescape(page)
    assert "NAMES = ['1b', '2b', '1c']" in shown
    assert all(text in shown for is_code, text, is_parameters in cells() if is_code and not is_parameters)
    assert re.search(r"^1c:    134,037 solutions,     284,680 nodes, [\d.]+ s$", shown, re.MULTILINE)
    assert re.search(r"one core alone: [\d.]+ ms of [\d.]+ s, a share of [\d.]+%$", shown, re.MULTILINE)
    assert re.search(r"time and nodes: [\d.]+", shown, re.MULTILINE)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_cell_of_parameters_takes_other_values() -> None:
    assert with_values("A = 1  # one\nB = 2", {"A": [3]}) == "A = [3]\nB = 2"
    assert inline("a `code` & *word*") == "a <code>code</code> &amp; <em>word</em>"
