"""Lists with a ledger: stopped anywhere, resumed, and the same lines in the end."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from support.boards import PUZZLE, board, board_file
from support.cases import slow_after
from support.ledgers import (
    TASK,
    facts,
    fingerprint,
    forge,
    is_sound,
    is_written,
    plan,
    rows,
    said_of,
    task,
)
from support.processes import Run, assert_mistake, started, wait_for
from support.runs import RESTLESS

from enumerator.engines.interfaces import ListSizes
from enumerator.questions.listing import LineSink, list_identity, write_list
from enumerator.questions.solutions import solution_list
from enumerator.run import solution_file
from enumerator.run.ledger import Ledger

PACING = RESTLESS

PAGES = RESTLESS._replace(
    mark_seconds=-1.0,
    sizes=ListSizes(first_page=50, page=200, first_segment_nodes=100, segment_nodes=30_000),
)
"""Lists in many short pages, each of them with a mark behind it."""


@pytest.fixture
def ask_pages(ask: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `enumerate` with short pages, and marks that do not wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return partial(ask, pacing=PAGES)


class StoppedError(Exception):
    """The end of a process without any warning."""


def list_on(ask: Run, monkeypatch: pytest.MonkeyPatch, turns: int, *arguments: str) -> bool:
    """Resume a list, and stop it when something is written for the n-th time; return whether it was stopped."""
    real, left = solution_file.Output.write, [turns]

    def write(self: solution_file.Output, text: bytes | bytearray, solutions: int) -> int:
        left[0] -= 1
        if left[0] < 0:
            real(self, text[: len(text) // 2], 0)  # half of it, which is not counted
            raise StoppedError
        return real(self, text, solutions)

    with monkeypatch.context() as patch:
        patch.setattr(solution_file.Output, "write", write)
        try:
            assert ask(*arguments).returncode == 0
        except StoppedError:
            return True
    return False


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix in (".xz", ".bz2"):
        return lzma.decompress(data) if path.suffix == ".xz" else bz2.decompress(data)
    if path.suffix == ".zst":
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as reader:
            return reader.read()
    return data


@pytest.mark.parametrize(
    ("name", "options", "ending"),
    slow_after(
        5,
        [
            ("1b", ["--engine", "search"], ".txt"),
            ("1b", ["--engine", "contraction"], ".txt"),
            ("1b", ["--engine", "contraction", "--json"], ".gz"),
            ("1b", ["--engine", "search", "--json", "--limit", "3000"], ".zst"),
            ("1b", ["--engine", "contraction", "--limit", "1000"], ".txt"),
            ("2b", ["--grids"], ".txt"),
            ("2b", ["--grids", "--engine", "contraction"], ".zst"),
            ("2b", ["--grids", "--ascii"], ".gz"),
            ("6x6-many", ["--engine", "search", "--limit", "2500"], ".gz"),
            ("16x16-many", ["--limit", "700"], ".txt"),
            ("4x4-many", ["--limit", "24"], ".txt"),
            ("1a", [], ".zst"),
            ("2b", ["--limit", "2000"], ".xz"),
            ("6x6-many", ["--limit", "2000"], ".bz2"),
        ],
    ),
)
def test_a_list_that_is_stopped_anywhere_holds_the_same_lines(
    ask_pages: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: list[str], ending: str
) -> None:
    assert ask_pages(board_file(name), "--list", *options, "--output", "expected").returncode == 0
    path = tmp_path / f"list{ending}"
    asked = (board_file(name), "--list", *options, "--output", path.name, "--checkpoint", "ledger")
    rng = random.Random(f"{name} {options}")
    written, shares, stops = [0], [0.0], 0
    while list_on(
        ask_pages,
        monkeypatch,
        rng.choice([0, 1, 3, 10, 40] if stops else [1]),
        *asked,
        "--cores",
        str(1 + stops % 2),
    ):
        stops += 1
        assert stops < 200
        if (tmp_path / "ledger").exists():
            assert is_sound(tmp_path / "ledger")
            known = said_of(tmp_path / "ledger").totals
            written.append(known.solutions)
            shares.append(known.share)
    assert unpacked(path) == (tmp_path / "expected").read_bytes()
    assert stops or name in ("1a", "4x4-many")
    assert written == sorted(written)
    assert all(before <= after + 1e-9 for before, after in pairwise(shares))
    again, before = ask_pages(*asked), fingerprint(path)
    assert (again.returncode, again.stdout) == (0, "")
    assert re.fullmatch(
        rf"enumerate: {path.name}: [\d,]+ solutions? written before, there is nothing to do\n", again.stderr
    )
    assert fingerprint(path) == before


KILLED_LIST = """
import sys
from enumerator.command.main import main
from enumerator.run.pacing import Pacing
sys.exit(main(pacing=Pacing(mark_seconds=-1.0)))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("census")
@pytest.mark.parametrize("engine", ["search", "contraction"])
def test_a_killed_list_goes_on_and_holds_the_same_lines(ask: Run, tmp_path: Path, engine: str) -> None:
    asked = (board_file("1d"), "--list", "--engine", engine, "--limit", "200000")
    assert ask(*asked, "--output", "expected").returncode == 0
    for _ in range(2):
        with started(
            *asked, "--output", "list", "--checkpoint", "ledger", program=KILLED_LIST, cwd=tmp_path
        ) as process:
            known = said_of(tmp_path / "ledger").totals.solutions if (tmp_path / "ledger").exists() else 0
            path = tmp_path / "ledger"
            assert wait_for(lambda: process.poll() or (is_written(path) and said_of(path).totals.solutions > known))  # noqa: B023
            process.kill()
            process.communicate()
    assert (tmp_path / "list").stat().st_size >= int(facts(tmp_path / "ledger")["bytes"])
    assert ask(*asked, "--output", "list", "--checkpoint", "ledger").returncode == 0
    assert fingerprint(tmp_path / "list") == fingerprint(tmp_path / "expected")


def test_a_list_goes_on_in_its_own_file_only(ask_pages: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = (board_file("1b"), "--list", "--engine", "search", "--checkpoint", "ledger")
    assert list_on(ask_pages, monkeypatch, 12, *asked, "--output", "list")
    path = tmp_path / "list"
    whole, size = path.read_bytes(), int(facts(tmp_path / "ledger")["bytes"])
    before = fingerprint(tmp_path / "ledger")
    assert 0 < size < len(whole)
    others = {
        "shorter": (whole[: size - 1], f"list: has {size - 1:,} bytes, and {size:,} were written to it"),
        "empty": (b"", f"list: has 0 bytes, and {size:,} were written to it"),
        "changed": (whole[: size - 5] + b"x" + whole[size - 4 :], "list: is not what was written"),
        "another": (b"x" * len(whole), "list: is not what was written"),
    }
    for data, reason in others.values():
        path.write_bytes(data)
        assert_mistake(ask_pages(*asked, "--output", "list"), reason)
        assert path.read_bytes() == data
    path.unlink()
    assert_mistake(ask_pages(*asked, "--output", "list"), "list: No such file or directory")
    assert not path.exists()
    for special in ("folder", "pipe"):
        (tmp_path / "folder").mkdir() if special == "folder" else os.mkfifo(tmp_path / "pipe")
        path.symlink_to(special)
        assert_mistake(
            ask_pages(*asked, "--output", "list"),
            "list: Is a" if special == "folder" else "list: is not a regular file: cannot resume",
        )
        path.unlink()
    path.write_bytes(whole)
    for options, reason in {
        ("--output", "other"): "is the ledger of another file of solutions: list there, other here",
        ("--output", "list", "--json"): "is the ledger of solutions in another form: lines there, json here",
        ("--output", "list", "--grids"): "is the ledger of solutions in another form: lines there, numbered grids here",
        ("--output", "list", "--limit", "7000"): "is the ledger of another limit: none there, 7000 here",
    }.items():
        assert_mistake(ask_pages(*asked, *options), reason)
    assert not (tmp_path / "other").exists()
    assert path.read_bytes() == whole
    assert fingerprint(tmp_path / "ledger") == before
    assert ask_pages(*asked, "--output", "list").returncode == 0
    ask_pages(*asked[:-2], "--output", "expected")
    assert path.read_bytes() == (tmp_path / "expected").read_bytes()


@pytest.mark.parametrize("name", ["bytes", "tail", "output", "form", "at work"])
def test_a_list_whose_ledger_has_lost_its_place_is_left_alone(
    ask_pages: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked = (board_file("1b"), "--list", "--output", "list", "--checkpoint", "ledger")
    assert list_on(ask_pages, monkeypatch, 12, *asked)
    whole = (tmp_path / "list").read_bytes()
    forge(tmp_path / "ledger", "DELETE FROM run WHERE name = ?", name)
    if name == "at work":
        forge(tmp_path / "ledger", "DELETE FROM task")
    assert_mistake(ask_pages(*asked), f"ledger: is damaged (nothing says its {name})")
    assert (tmp_path / "list").read_bytes() == whole


@pytest.mark.parametrize("engine", ["search", "contraction"])
@pytest.mark.parametrize(
    "work", ["", "0", "5+", "0+999999", "99999999999+0", "0 " + PUZZLE, f"1 {PUZZLE[:-1]}x", "1 ..."]
)
def test_a_place_that_is_none_is_damage(
    ask_pages: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, work: str
) -> None:
    asked = (board_file("1b"), "--list", "--engine", engine, "--output", "list", "--checkpoint", "ledger")
    assert list_on(ask_pages, monkeypatch, 5, *asked)
    number, parent, _, share, *_ = next(row for row in rows(tmp_path / "ledger") if row[5] is None)
    forge(tmp_path / "ledger", "DELETE FROM task WHERE id = ?", number)
    forge(tmp_path / "ledger", TASK, *task(number, parent, work, share))
    before = fingerprint(tmp_path / "ledger")
    assert_mistake(ask_pages(*asked), "ledger: is damaged (")
    assert fingerprint(tmp_path / "ledger") == before


def test_a_list_with_a_ledger_needs_a_file_of_its_own(ask: Run, tmp_path: Path) -> None:
    listing = (board_file("1b"), "--list", "--checkpoint", "ledger")
    for options in ([], ["--output", "-"]):
        assert_mistake(ask(*listing, *options), "--checkpoint with --list requires --output FILE")
    (tmp_path / "soft").symlink_to("ledger")
    for name in ("ledger", "./ledger", "soft"):
        assert_mistake(
            ask(*listing, "--output", name), f"{name}: cannot be the ledger and the solutions at the same time"
        )
    assert not (tmp_path / "ledger").exists()
    assert_mistake(ask(board_file("1b"), board_file("1b"), *listing[1:], "--output", "list"), "is for one board")
    assert not (tmp_path / "list").exists()


@pytest.mark.parametrize("ending", ["", ".gz", ".zst", ".xz", ".bz2"])
def test_a_disk_that_is_full_at_a_mark_is_said_of_the_file(
    ask_pages: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    asked = (board_file("1b"), "--list", "--limit", "2000", "--output", f"list{ending}", "--checkpoint", "ledger")
    turns = iter(range(100))

    def full(_: int) -> None:
        if next(turns) > 3:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        done = ask_pages(*asked)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.match(rf"enumerate: list{ending}: No space left on device; (no more than )?[\d,]+ solutions", done.stderr)
    assert ask_pages(*asked).returncode == 0
    assert ask_pages(*asked[:4], "--output", "expected").returncode == 0
    assert unpacked(tmp_path / f"list{ending}") == (tmp_path / "expected").read_bytes()


def test_a_page_that_may_have_been_written_in_part_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt when all of a page is in the file, before its number is known: there must be no mark behind it."""
    real, one = solution_file.DescriptorSink.write, board("4x4-many")
    how, path = plan(cores=1, pacing=PAGES), tmp_path / "solutions"
    solutions = solution_list(one, how)

    def interrupted(self: solution_file.DescriptorSink, data: memoryview, received: list[int]) -> int:
        real(self, data, received)
        raise KeyboardInterrupt

    def resume() -> None:
        with solution_file.Output(str(path), deferred=True) as file:
            identity = list_identity(one, how, file, "lines")
            with Ledger(str(tmp_path / "ledger"), identity, pacing=PAGES) as ledger:
                write_list(one, solutions, LineSink(file, one.shape), how, ledger=ledger)

    with monkeypatch.context() as patch:
        patch.setattr(solution_file.DescriptorSink, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            resume()
    assert path.stat().st_size > 0
    assert not (tmp_path / "ledger").exists()
    resume()
    assert len(path.read_text().split()) == len(set(path.read_text().split())) == 24


@pytest.mark.slow
def test_a_list_that_was_cut_off_is_never_said_to_be_complete(tmp_path: Path, ask: Run) -> None:
    (tmp_path / "board").write_text("1234............")  # 12 solutions
    for limit, is_cut in (("11", True), ("12", True), ("13", False)):
        arguments = ["board", "--list", "--output", f"solutions-{limit}", "--checkpoint", f"ledger-{limit}"]
        done = ask(*arguments, "--engine", "search", "--limit", limit)
        assert done.returncode == 0
        state = json.loads(ask("--status", f"ledger-{limit}", "--json").stdout)
        assert (state["state"], state["complete"]) == ("finished", not is_cut)
        assert len((tmp_path / f"solutions-{limit}").read_text().split()) == min(12, int(limit))
