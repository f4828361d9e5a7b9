"""Figures that documents state: those of the tables in results/."""

import csv
import gzip
import re
from collections import defaultdict
from math import floor
from pathlib import Path
from statistics import mean

import pytest
from support.boards import ROOT
from support.cases import HAS_SOURCES

from bench.tables.rows import Stretch
from bench.tables.table import read
from bench.tables.timeline import by_setting, loss

if not HAS_SOURCES:
    pytest.skip("no source tree: tests of a wheel", allow_module_level=True)

RESULTS = ROOT / "results"
DISCUSSION = (RESULTS / "README.md").read_text()

BOARDS = ["1d", "2d", "1e", "2e", "1f", "2f"]
"""The columns of the table of speed-ups."""

LIMIT = 5.0
"""The seconds after which another program was stopped."""


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of results/."""
    data = (RESULTS / name).read_bytes()
    lines = (gzip.decompress(data) if name.endswith(".gz") else data).decode().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def cells(line: str) -> list[str]:
    """Return the cells of a row of a table in a document."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def row(label: str) -> list[str]:
    """Return the cells of the row of the discussion that begins with a label."""
    (line,) = re.findall(rf"^\| {re.escape(label)} \|.*$", DISCUSSION, re.MULTILINE)
    return cells(line)[1:]


def agrees(shown: str, value: float) -> bool:
    """Return whether a number is shown as rounding makes it; the last digit may be rounded either way."""
    digits = len(shown.partition(".")[2])
    return abs(float(shown.replace(",", "")) - value) <= 0.5 * 10.0**-digits + 1e-3 * value


def mean_seconds() -> dict[tuple[str, str], float]:
    """Return the mean time of the search on each board and number of cores."""
    found = defaultdict(list)
    for one in table("speedup-search.csv"):
        found[one["board"], one["cores"]].append(float(one["seconds"]))
    return {key: mean(times) for key, times in found.items()}


def test_speed_ups_are_those_of_the_table() -> None:
    times = mean_seconds()
    for label, prefix in (("speed-up of means", ""), ("the same, published", "published/")):
        for board, shown in zip(BOARDS, row(label), strict=True):
            assert agrees(shown, times[prefix + board, "1"] / times[prefix + board, "2"]), (label, board)
    for board, shown in zip(BOARDS, row("one core, s"), strict=True):
        assert agrees(shown, times[board, "1"]), board


def columns(text: str) -> dict[str, dict[str, str]]:
    """Return the columns of all tables of a text by their heads, each as its cells by the first cells of the rows."""
    found: dict[str, dict[str, str]] = {}
    for head, body in re.findall(r"^(\|.*\|)\n\|[-:|]+\|\n((?:\|.*\|\n)+)", text, re.MULTILINE):
        lines = [cells(line) for line in body.splitlines()]
        for at, name in enumerate(cells(head)[1:], 1):
            found[name] = {line[0]: line[at] for line in lines}
    return found


def test_timelines_are_those_of_the_table() -> None:
    """Each setting of the table has a column in the text; a message says what it should be."""
    shown = columns((RESULTS / "inside.md").read_text())
    for (board, setting, cores, is_simulated), rows in by_setting(
        read(RESULTS / "timeline.csv.gz", Stretch)[1]
    ).items():
        division = "" if setting == "default" else f", {setting}"
        head, lost = f"{board}, {cores}{' simulated' if is_simulated else ''} cores{division}", loss(rows)
        times = {"used": lost.busy, "without work at the start": lost.start, "between": lost.between}
        expected = {
            name: f"{share:.1%}".replace("%", " %") for name, share in {**times, "at the end": lost.end}.items()
        }
        assert shown.get(head) == expected, head


def test_efficiencies_of_groups_are_those_of_the_table() -> None:
    text = (RESULTS / "inside.md").read_text()
    (line,) = re.findall(r"^\| efficiency of 2f on … cores \|(.*)\|$", text, re.MULTILINE)
    part = text[text.index(line) :].partition("\n\n")[0]
    for size, label in (("0", "one driver, as it is"), ("32", "groups of 32"), ("16", "groups of 16")):
        (shown,) = re.findall(rf"^\| {label} \|(.*)\|$", part, re.MULTILINE)
        for cores, efficiency in zip(cells(line), cells(shown), strict=True):
            key = ("2f", cores.replace(",", ""), size)
            (one,) = (row for row in table("groups.csv") if (row["board"], row["cores"], row["size"]) == key)
            assert efficiency == f"{float(one['sequential']) / float(one['seconds']) / float(one['cores']):.2f}", key


def test_efficiencies_on_64_cores_are_those_of_the_table() -> None:
    simulated = {one["board"]: float(one["seconds"]) for one in table("simulated.csv") if one["cores"] == "64"}
    least = defaultdict(list)
    for one in table("speedup-search.csv"):
        if one["cores"] == "1":
            least[one["board"]].append(float(one["seconds"]))
    (shown,) = re.findall(r"efficiency at 64 depends on the work: (.*?)\.\s", DISCUSSION)
    pairs = re.findall(r"(\w+) ([\d.]+)", shown)
    assert len(pairs) == 4
    for board, efficiency in pairs:
        assert agrees(efficiency, min(least[board]) / simulated[board] / 64), board


@pytest.mark.parametrize("document", [ROOT / "README.md", RESULTS / "README.md"], ids=["README", "results"])
def test_ratios_to_other_programs_are_those_of_the_table(document: Path) -> None:
    least: dict[tuple[str, str], float] = {}
    for one in table("peers.csv"):
        key, seconds = (one["board"], one["program"]), float(one["seconds"] or "inf")
        least[key] = min(seconds, least.get(key, seconds))
    text = document.read_text()
    (head,) = re.findall(r"^\| board \| solutions \| enumerator .*$", text, re.MULTILINE)
    programs = [name.removesuffix(" (C)") for name in cells(head)[3:]]
    lines = re.findall(r"^\| \w+ \| [\d,]+ \| [\d.]+ ms \|.*$", text, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        board, _, ours, *others = cells(line)
        seconds = least[board, "enumerator"]
        assert agrees(ours.removesuffix(" ms"), 1000 * seconds), line
        for program, shown in zip(programs, others, strict=True):
            sign, number = shown.split()
            if sign == ">":
                assert least[board, program] == float("inf")
                assert int(number.replace(",", "")) == floor(LIMIT / seconds), line
            else:
                assert agrees(number, least[board, program] / seconds), (line, program)
