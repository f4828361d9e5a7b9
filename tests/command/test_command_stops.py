"""Lists, samples and counts that end early: by a time limit, an interrupt, or a reader that leaves."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
from pathlib import Path
from shlex import quote

import pytest
import zstandard
from support.boards import EMPTY, PUZZLE, board_file, breaks_no_rule
from support.lateness import Stopwatch, within_some_time
from support.processes import COMMAND, Run, children, run, seconds_of_work, started, unread_bytes, wait_for

from enumerator.board import Board

# -------------------------------------------------------------------------------------------- time limits


def test_a_count_that_is_out_of_time_says_what_is_known(command: Run) -> None:
    def ask(seconds: float) -> subprocess.CompletedProcess[str]:
        with Stopwatch() as watch:
            asked = "--time-limit", str(seconds), "--engine", "search", "--json"
            answer = command(board_file("empty"), board_file("1a"), *asked)
        assert watch.seconds < seconds + 2.6
        return answer

    answer = within_some_time(ask, lambda answer: '"low": null' not in answer.stdout)
    first, second = map(json.loads, answer.stdout.splitlines())
    known, about = int(first["solutions"]), first["estimated_solutions"]
    assert known > 1000
    assert not first["complete"]
    assert known <= about["low"] <= about["mean"] <= about["high"]
    assert 1e20 < about["mean"] < 1e24  # 6.67e21, from a few probes where the machine is busy
    assert (second["solutions"], second["complete"], "estimated_solutions" in second) == ("1", True, False)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_count_that_is_out_of_time_is_at_least_a_number(ask: Run) -> None:
    options = ["--engine", "search", "--time-limit"]
    assert re.fullmatch(r"\d+\+\n", ask(board_file("empty"), "--quiet", *options, ".1").stdout)
    text = within_some_time(
        lambda seconds: ask(board_file("empty"), *options, str(seconds)).stdout,
        lambda text: "too few probes" not in text,
    )
    assert re.search(
        r"^  solutions       at least \d+ \(time limit\)\n  verdict         multiple\n  estimate        about ",
        text,
        re.MULTILINE,
    )


def test_a_list_that_is_out_of_time_says_how_much_of_it_there_is(ask: Run, tmp_path: Path) -> None:
    done = ask(board_file("empty"), "--list", "--time-limit", "0.05", "--output", "some.txt")
    message = re.fullmatch(
        rf"enumerate: {board_file('empty')}:1: the time is up; ([\d,]+) solutions written, not all\n",
        done.stderr,
    )
    assert message, done.stderr
    written = (tmp_path / "some.txt").read_bytes()
    assert int(message[1].replace(",", "")) == written.count(b"\n") == len(written) // 82
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--nth", "1e21"], "its solutions cannot be counted in 0.1 s"),
        (["--candidates"], "the candidates are not counted after 0.1 s"),
    ],
)
def test_what_cannot_be_found_out_in_time_is_said(ask: Run, option: list[str], message: str) -> None:
    done = ask(board_file("empty"), *option, "--time-limit", "0.1", "--engine", "search")
    assert done.stderr.startswith(f"enumerate: {board_file('empty')}:1: {message}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.slow
def test_a_board_that_is_out_of_time_does_not_keep_the_others_from_their_answer(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "e16.txt").write_text("." * 256)
    (tmp_path / "p.txt").write_text(PUZZLE)
    for wanted in (["--sample", "1"], ["--nth", "1e30"], ["--candidates", "--quiet"]):
        done = ask("e16.txt", "p.txt", *wanted, "--time-limit", "0.3")
        assert done.returncode == (2 if "--nth" in wanted else 1)
        assert "e16.txt" in done.stderr
        assert "p.txt" in done.stderr if "--nth" in wanted else done.stdout


@pytest.mark.slow
def test_a_sample_keeps_to_its_time(ask: Run) -> None:
    done = ask(board_file("empty"), "--sample", "1e7", "--seed", "1", "--time-limit", "0.5")
    lines = done.stdout.splitlines()
    assert 0 < len(lines) < 10_000_000
    assert done.returncode == 1
    assert f"the time is up; {len(lines):,} solutions written" in done.stderr


# ------------------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize("options", [["--list"], ["--list", "--grids", "--cores", "1"], ["--sample", "1e6"]])
def test_a_reader_that_leaves_is_no_drama(options: list[str]) -> None:
    with started(board_file("1b"), *options) as process:
        assert process.stdout
        assert len(process.stdout.readline()) > 1
        process.stdout.close()
        _, errors = process.communicate()
    assert (process.returncode, errors) == (1, "")


def test_a_closed_standard_output_is_said() -> None:
    line = f"{quote(COMMAND)} {quote(board_file('4x4-many'))} --list >&-"
    done = run(line)
    assert (done.returncode, done.stderr) == (1, "enumerate: standard output is closed\n")


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_list_says_how_far_it_got(tmp_path: Path, asked: signal.Signals) -> None:
    path = tmp_path / "some.txt"
    with started(board_file("empty"), "--list", "--output", str(path)) as process:
        assert wait_for(lambda: path.exists() and path.stat().st_size > 1 << 20)
        everyone = children(process.pid)
        with Stopwatch() as watch:
            os.killpg(process.pid, asked)
            output, errors = process.communicate()
        assert watch.seconds < 2
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone))
    assert (process.returncode, output) == (130, "")
    assert re.fullmatch(
        rf"enumerate: interrupted: {board_file('empty')}:1: \d+,\d\d\d(,\d\d\d)* solutions written\n", errors
    )
    written = path.read_bytes()
    assert len(written) % 82 == 0
    assert breaks_no_rule(Board.parse(written[-82:].decode()), Board.parse(EMPTY))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "message", "cores"),
    [
        (["--sample", "5"], "0 solutions written", "2"),
        (["--candidates"], "the candidates are not counted", "2"),
    ],
)
def test_an_interrupt_is_heard_while_a_board_is_walked(option: list[str], message: str, cores: str) -> None:
    with started(board_file("empty"), *option, "--engine", "search", "--cores", cores) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 0.5)
        with Stopwatch() as watch:
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()
        assert watch.seconds < 2
    assert (process.returncode, output) == (130, "")
    assert errors == f"enumerate: interrupted: {board_file('empty')}:1: {message}\n"


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["txt", "gz", "zst"])
def test_an_interrupted_file_is_whole_and_as_long_as_was_said(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"all.{ending}"
    with started(board_file("2f"), "--list", "--output", str(path)) as process:
        assert wait_for(lambda: path.exists() and path.stat().st_size > 1_000_000)
        process.send_signal(signal.SIGINT)
        message = process.communicate()[1]
    assert process.returncode == 130
    (said,) = re.findall(r"([\d,]+) solutions written", message)
    data = path.read_bytes()
    if ending == "gz":
        data = gzip.decompress(data)
    elif ending == "zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    assert len(data) == int(said.replace(",", "")) * 82


@pytest.mark.slow
def test_an_interrupted_pipe_holds_as_much_as_was_said() -> None:
    with started(board_file("2f"), "--list") as process:
        assert process.stdout
        assert process.stderr
        assert wait_for(lambda: unread_bytes(process.stdout) > 32_000)  # nobody reads, and it soon waits
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()
        message = process.stderr.read()
        assert process.wait() == 130
    (said,) = re.findall(r"([\d,]+) solutions written", message)
    assert len(lines) in (int(said.replace(",", "")), int(said.replace(",", "")) + 1)  # one may be cut
