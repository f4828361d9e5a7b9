"""The command where it classifies: a verdict a board, in order, from files and from pipes that take their time."""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import signal
import subprocess
import termios
from array import array
from pathlib import Path
from select import select
from shlex import quote
from typing import IO

import pytest
from support.boards import BOARDS, PUZZLE, SOLVED, breaks_no_rule, regular, shuffle, with_holes
from support.cases import slow_after
from support.lateness import Stopwatch
from support.pigeons import pigeon_line
from support.processes import COMMAND, EARLY_BAR, Run, children, on_a_terminal, run, seconds_of_work, started, wait_for

from enumerator.board import Board, Shape
from enumerator.text.phrases import plural

VERDICTS = {
    PUZZLE: "unique",
    SOLVED: "unique",
    "." * 81: "multiple",
    SOLVED[:27] + "." * 54: "multiple",
    "5...5" + "." * 76: "none",  # a contradiction
    "12345678" + "." * 9 + "9" + "." * 63: "none",  # nothing is left for r1c9
    SOLVED[:80] + "8": "none",
}

GRID = "\n".join(PUZZLE[row : row + 9] for row in range(0, 81, 9))


@pytest.fixture(scope="module")
def mixed() -> list[str]:
    """Boards of all kinds, enough of them for all ways to read and share them out."""
    return random.Random(1).choices(list(VERDICTS), k=16_000)


def in_print(boards: list[str]) -> str:
    return "".join(f"{VERDICTS.get(board, 'invalid')}\n" for board in boards)


@pytest.mark.slow
def test_published_puzzles_are_what_they_are_said_to_be(ask: Run, shared: Path) -> None:
    files = [shared / "puzzles" / f"{name}.txt" for name in ("17clue", "magictour", "hardest", "multiple")]
    boards = [sum(len(line) >= 81 for line in file.read_text().splitlines() if line[0] != "#") for file in files]
    done = ask(*map(str, files), "--classify")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "unique\n" * sum(boards[:3]) + "multiple\n" * boards[3]
    assert min(boards) > 1000


def test_a_verdict_in_full_holds_the_solution(ask: Run, shared: Path) -> None:
    file = shared / "puzzles" / "magictour.txt"
    answers = [json.loads(line) for line in ask(str(file), "--classify", "--json").stdout.splitlines()]
    puzzles = [line[:81] for line in file.read_text().splitlines()]
    assert [answer["source"] for answer in answers] == [f"{file}:{line}" for line in range(1, len(puzzles) + 1)]
    assert {(answer["shape"], answer["verdict"]) for answer in answers} == {("3x3", "unique")}
    pairs = zip(answers, puzzles, strict=True)
    assert all(breaks_no_rule(Board.parse(answer["solution"]), Board.parse(puzzle)) for answer, puzzle in pairs)


def test_only_a_unique_solution_is_told(command: Run) -> None:
    done = command("-", "--classify", "--json", stdin="".join(f"{board}\n" for board in VERDICTS))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["verdict"] for answer in answers] == list(VERDICTS.values())
    assert [answer.get("solution") for answer in answers] == [SOLVED] * 2 + [None] * 5
    assert (done.returncode, done.stderr) == (0, "")


def test_boards_of_all_sizes_are_classified(ask: Run) -> None:
    names = ["4x4-many", "4x4-unique", "6x6-many", "6x6-unique", "1a", "1f", "empty"]
    names += ["16x16-many", "16x16-unique", "25x25-many", "25x25-unique"]
    done = ask(*(str(BOARDS / f"{name}.txt") for name in names), "--classify")
    unique = [name == "1a" or name.endswith("unique") for name in names]
    assert done.stdout.split() == ["unique" if one else "multiple" for one in unique]
    assert ask("-", "--classify", stdin="." * 4096).stdout == "multiple\n"


@pytest.mark.parametrize("cores", slow_after(1, ["3", "1"]))
def test_verdicts_stand_in_the_order_of_the_boards(command: Run, tmp_path: Path, mixed: list[str], cores: str) -> None:
    text = "".join(f"{board}\n" for board in mixed)
    (tmp_path / "mixed.txt").write_text(text)
    assert command("mixed.txt", "--classify", "--cores", cores).stdout == in_print(mixed)
    assert command("-", "--classify", "--cores", cores, stdin=text).stdout == in_print(mixed)


@pytest.mark.slow
def test_boards_may_be_written_in_many_ways(ask: Run, tmp_path: Path, mixed: list[str]) -> None:
    boards = mixed[:2000]
    texts = {
        "windows": "".join(f"{board}\r\n" for board in boards),
        "marked": "\ufeff" + "\n".join(boards),
        "remarks": "".join(f"{board} by a friend, 3 stars\n" for board in boards),
        "comments": "".join(f"# {number}\n\n{board}\n" for number, board in enumerate(boards)),
        "later": "\n".join(boards[:1000])
        + "\n# from here on with zeros\n"
        + "\n".join(boards[1000:]).replace(".", "0"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
        done = ask(name, "--classify")
        assert (name, done.stdout == in_print(boards), done.returncode, done.stderr) == (name, True, 0, "")
    last = ask("later", "--classify", "--json").stdout.splitlines()[-1]
    assert json.loads(last)["source"] == "later:2001"


def test_lines_that_are_no_boards_are_named_and_the_others_get_their_verdicts(
    ask: Run, tmp_path: Path, mixed: list[str]
) -> None:
    lines = list(mixed)
    lines[4999], lines[14999] = PUZZLE[:-1], "X" + mixed[0][1:]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    done = ask("a.txt", "absent.txt", str(BOARDS / "4x4-unique.txt"), "--classify")
    assert done.stdout == in_print(lines) + "invalid\nunique\n"
    short, *others = done.stderr.splitlines()
    assert short.startswith("enumerate: a.txt:5000: 80 cells in a line: neither a row nor the whole of a board")
    assert others == [
        "enumerate: a.txt:15000:1: 'X' is no digit of a 9×9 board",
        "enumerate: absent.txt: No such file or directory",
    ]
    assert done.returncode == 2


def test_mixed_sizes_stand_in_one_file(ask: Run) -> None:
    sixteen = (BOARDS / "16x16-unique.txt").read_text()
    text = f"{PUZZLE}\n{'.' * 36}\n{GRID}\n{sixteen}\n{'.' * 81}\n{GRID}"
    done = ask("-", "--classify", "--json", stdin=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["shape"], answer["verdict"]) for answer in answers] == [
        *[("3x3", "unique"), ("2x3", "multiple"), ("3x3", "unique")],
        *[("4x4", "unique"), ("3x3", "multiple"), ("3x3", "unique")],
    ]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_long_file_is_read_to_its_end(ask: Run, tmp_path: Path, shared: Path) -> None:
    (tmp_path / "long.txt").write_text((shared / "puzzles" / "multiple.txt").read_text() * 20 + PUZZLE)
    lines = (tmp_path / "long.txt").read_text().count("\n")
    assert lines >= 100_000
    assert ask("long.txt", "--classify").stdout == "multiple\n" * lines + "unique\n"


# ------------------------------------------------------------------------------------------------- pipes


@pytest.mark.parametrize("cores", ["1", "2"])
@pytest.mark.parametrize("form", slow_after(1, ["--quiet", "--json"]))
def test_a_verdict_is_there_before_the_next_board_is_sent(form: str, cores: str) -> None:
    with started("-", "--classify", form, "--cores", cores, stdin=subprocess.PIPE, bufsize=1) as process:
        assert process.stdin
        assert process.stdout
        for text in (PUZZLE, PUZZLE, f"{PUZZLE} easy", GRID, f"# one more\n{PUZZLE}", GRID):
            process.stdin.write(f"{text}\n")
            assert select([process.stdout], [], [], 10)[0]
            assert "unique" in process.stdout.readline()
        process.stdin.close()
        assert process.wait() == 0


def test_a_given_shape_leaves_nothing_to_wait_for() -> None:
    """Sixteen symbols may be a row of a larger board, unless the shape is given."""
    with started("-", "--classify", "--shape", "2x2", stdin=subprocess.PIPE, bufsize=1) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("1.....2..3.....4\n")
        assert select([process.stdout], [], [], 10)[0]
        assert process.stdout.readline() == "unique\n"


def test_a_reader_that_leaves_is_no_drama(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n" * 50_000)
    with started("many.txt", "--classify", cwd=tmp_path) as process:
        assert process.stdout
        assert process.stdout.readline() == "unique\n"
        process.stdout.close()
        _, errors = process.communicate()
    assert (process.returncode, errors) == (1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (f"'{BOARDS}/1a.txt' >/dev/full", 1, "standard output: No space left on device"),
        (f"'{BOARDS}/1a.txt' >&-", 1, "standard output is closed"),
        ("- <&-", 2, "<stdin>: Bad file descriptor"),
        ("- </dev/null", 2, "<stdin>: no board in it"),
        ("/dev/zero", 2, "/dev/zero:1: a line of more than 100,000 characters"),
    ],
)
def test_broken_pipes_and_full_disks_are_said(line: str, status: int, message: str) -> None:
    done = run(f"{quote(COMMAND)} --classify {line}")
    output = "invalid\n" if status == 2 else ""
    assert (done.returncode, done.stdout, done.stderr) == (status, output, f"enumerate: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x.txt", "--limit", "5"], "--limit does not go with --classify"),
        (["x.txt", "--seed", "0"], "--seed does not go with --classify"),
        (["x.txt", "--output", "y"], "--output does not go with --classify"),
        (["x.txt", "--nth", "0"], "not allowed with"),
    ],
)
def test_mistakes_end_with_status_2_and_one_line(ask: Run, arguments: list[str], message: str) -> None:
    done = ask("--classify", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("enumerate: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


# ----------------------------------------------------------------------------------------- hard boards


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """A file of puzzles with two boards among them that no engine decides."""
    lines = [PUZZLE] * 200
    lines[3] = lines[150] = pigeon_line()
    path = tmp_path / "hard.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.parametrize("cores", slow_after(0, ["2", "1"]))
def test_a_hard_board_is_unknown_and_the_others_are_not(ask: Run, hard: Path, cores: str) -> None:
    expected = ["unknown" if number in (3, 150) else "unique" for number in range(200)]
    done = ask(str(hard), "--classify", "--time-limit", "0.3", "--cores", cores)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, expected, "")
    lines = ask("-", "--classify", "--json", "--time-limit", "0.3", "--cores", cores, stdin=hard.read_text())
    answers = [json.loads(line) for line in lines.stdout.splitlines()]
    assert [answer["verdict"] for answer in answers] == expected
    assert [answer["source"] for answer in answers] == [f"<stdin>:{number}" for number in range(1, 201)]
    assert {key: answers[3][key] for key in ("shape", "reason")} == {
        "shape": "5x5",
        "reason": "not decided within 0.3 s",
    }
    assert answers[3]["at_least"] in (0, 1)


@pytest.mark.slow
def test_a_bar_shows_how_many_boards_are_classified(tmp_path: Path) -> None:
    lines = [PUZZLE] * 3 + [pigeon_line()] + [PUZZLE] * 96
    (tmp_path / "hard.txt").write_text("".join(f"{line}\n" for line in lines))
    shown = on_a_terminal(
        str(tmp_path / "hard.txt"), "--classify", "--time-limit", "0.5", "--cores", "1", program=EARLY_BAR
    )
    frames = re.findall(r"(\d+\.\d) % +([\d,]+) boards; a hard one: [\d,]+ (?:nodes|steps), [\d,]+/s", shown)
    assert frames, shown
    assert {boards for _, boards in frames} <= {"3", "4"}
    assert all(0 < float(share) < 100 for share, _ in frames)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "\n", shown)
    assert re.findall(r"unique|unknown", plain).count("unknown") == 1
    assert plain.count("unique") == 99


# --------------------------------------------------------------------------------------------- interrupts


@pytest.mark.parametrize("asked", slow_after(1, [signal.SIGINT, signal.SIGTERM]))
@pytest.mark.parametrize("cores", ["1", "2"])
def test_an_interrupt_is_heard_while_a_pipe_is_silent(asked: signal.Signals, cores: str) -> None:
    with started("-", "--classify", "--cores", cores, stdin=subprocess.PIPE, bufsize=1) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{PUZZLE}\n")
        assert select([process.stdout], [], [], 10)[0]
        with Stopwatch() as watch:
            process.send_signal(asked)
            assert process.wait() == 130
        assert watch.seconds < 2
        assert process.stdout.read() == "unique\n"
        assert process.stderr.read() == "enumerate: interrupted after 1 board: the others are not answered\n"


def test_an_interrupt_does_not_wait_for_a_reader_that_sleeps(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n" * 50_000)
    with started("many.txt", "--classify", cwd=tmp_path) as process:
        assert process.stdout
        assert process.stderr
        pipe = process.stdout
        assert wait_for(lambda: waiting_bytes(pipe) > 50_000)  # it holds 65,536, in pages that need not be full
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert re.fullmatch(r"enumerate: interrupted after [\d,]+ boards: .*\n", process.stderr.read())
        assert set(process.stdout.read().splitlines()[:-1]) == {"unique"}


def waiting_bytes(pipe: IO[str]) -> int:
    """Return the number of bytes in a pipe that are not read yet."""
    number = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, number)
    return number[0]


@pytest.mark.slow
@pytest.mark.parametrize("source", ["-", "hard.txt"])
def test_an_interrupt_is_heard_in_the_middle_of_hard_boards(tmp_path: Path, source: str) -> None:
    rng, path = random.Random(2), tmp_path / "hard.txt"
    boards = [with_holes(shuffle(regular(Shape(5, 5)), rng), 330, rng) for _ in range(40)]  # some take hours
    path.write_text(f"{PUZZLE}\n" + "".join(f"{board}\n" for board in boards))
    with path.open() as text, started(source, "--classify", "--cores", "2", stdin=text, cwd=tmp_path) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 0.7)
        everyone = children(process.pid)
        with Stopwatch() as watch:
            os.killpg(process.pid, signal.SIGINT)
            output, errors = process.communicate()
        assert watch.seconds < 2
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone))
    assert process.returncode == 130
    assert output.startswith("unique\n")
    assert output.count("\n") < 41
    number = plural(output.count("\n"), "board")
    said = f"interrupted after {number}: the others are not answered"
    assert errors == f"enumerate: {said}\n"
