"""The command as its users meet it: what it prints, where, and with which exit status."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import perf_counter, sleep

import gmpy2
import pytest
from conftest import Run
from helpers import (
    COMMAND,
    PUZZLE,
    ROOT,
    assert_count,
    assert_mistake,
    children,
    on_a_terminal,
    seconds_of_work,
    slow_after,
    started,
    wait_for,
    workers,
)

import enumerator
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import search
from enumerator.run.executors import usable_cores

BOARDS = ROOT / "boards"


def test_a_count_in_a_pipe_is_plain_text(command: Run) -> None:
    done = command(str(BOARDS / "1b.txt"), "--engine", "search", "--cores", "1")
    board = read(str(BOARDS / "1b.txt"))
    facts = dict(re.findall(r"^  (\S.*?)  +(.*)$", done.stdout, re.MULTILINE))
    assert done.stdout.startswith(f"{BOARDS}/1b.txt\n")
    assert (facts["shape"], facts["cells"], facts["empty cells"]) == ("3x3", "81", "59")
    assert facts["search space"].split()[0] == str(board.search_space)
    assert_count(board, int(facts["solutions"]))
    assert facts["engine"].startswith("search, 1 core, ")
    assert "\x1b" not in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_json_is_one_object_a_board(command: Run) -> None:
    done = command(str(BOARDS / "1a.txt"), str(BOARDS / "1b.txt"), "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    board = read(str(BOARDS / "1b.txt"))
    assert list(first) == [
        *("source", "shape", "cells", "empty_cells", "filling_factor", "search_space"),
        *("solutions", "complete", "engine", "cores", "requested_cores", "tasks", "nodes", "seconds"),
    ]
    assert (first["solutions"], first["complete"]) == ("1", True)
    assert second["source"] == str(BOARDS / "1b.txt")
    assert (second["shape"], second["cells"], second["empty_cells"]) == ("3x3", 81, 59)
    assert second["filling_factor"] == pytest.approx(22 / 81, abs=1e-6)
    assert second["search_space"] == str(board.search_space)
    assert second["solutions"] == str(enumerator.count(board))
    assert (second["engine"], second["cores"]) == ("search", 1)
    assert 0 < second["seconds"] < 10


def test_quiet_prints_the_counts_alone(command: Run) -> None:
    done = command("--quiet", str(BOARDS / "4x4-many.txt"), "-", stdin=f"{PUZZLE}\n" * 3)
    assert done.stdout.split() == [str(enumerator.count(read(str(BOARDS / "4x4-many.txt")))), "1", "1", "1"]


def test_boards_of_a_batch_are_named_by_their_lines(command: Run) -> None:
    done = command("-", "--json", stdin=f"# two puzzles\n{PUZZLE}\n{PUZZLE}\n")
    assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == ["<stdin>:2", "<stdin>:3"]


def test_what_follows_two_dashes_is_boards(command: Run, tmp_path: Path) -> None:
    for name in ("--list", "-x.txt", "--"):
        (tmp_path / name).write_text(PUZZLE)
    assert command("--quiet", "./--", "--", "--list", "-x.txt", "--", "-", stdin=PUZZLE).stdout == "1\n" * 5


def test_a_limit_is_kept_and_said(command: Run) -> None:
    done = command(str(BOARDS / "empty.txt"), "--limit", "1e3")
    assert re.search(r"solutions +at least 1000 \(not complete\)", done.stdout)
    answer = json.loads(command(str(BOARDS / "empty.txt"), "--limit", "5", "--json").stdout)
    assert (answer["solutions"], answer["complete"]) == ("5", False)
    answer = json.loads(command(str(BOARDS / "4x4-unique.txt"), "--limit", "5", "--json").stdout)
    assert (answer["solutions"], answer["complete"]) == ("1", True)


def test_a_number_alone_says_too_whether_there_may_be_more(command: Run) -> None:
    assert command("-", "--quiet", "--limit", "2", stdin=f"{PUZZLE}\n{'.' * 81}\n").stdout == "1\n2+\n"


def test_a_shape_can_be_given(command: Run) -> None:
    board = "." * 36
    tall, wide = (
        json.loads(command("-", "--json", "--limit", "1", *more, stdin=board).stdout)
        for more in (["--shape", "3x2"], [])
    )
    assert (tall["shape"], wide["shape"]) == ("3x2", "2x3")


def test_the_largest_board_has_a_search_space_of_7398_digits(command: Run) -> None:
    answer = json.loads(
        command(
            "-",
            "--json",
            "--limit",
            "1",
            stdin="." * 4096,
        ).stdout
    )
    assert (answer["shape"], answer["solutions"]) == ("8x8", "1")
    assert gmpy2.mpz(answer["search_space"]) == gmpy2.mpz(64) ** 4096


@pytest.mark.slow
def test_requested_and_effective_cores_are_said(command: Run) -> None:
    assert "1 core (16 requested)" in command(str(BOARDS / "1a.txt"), "--cores", "16").stdout  # it takes no time
    answer = json.loads(command(str(BOARDS / "1e.txt"), "--engine", "search", "--cores", "16", "--json").stdout)
    usable = usable_cores()
    assert (answer["cores"], answer["requested_cores"]) == (min(usable, 16), 16)
    assert answer["tasks"] > 10 or usable == 1
    assert_count(read(BOARDS / "1e.txt"), int(answer["solutions"]), search.count)


@pytest.mark.parametrize(
    "options", slow_after(1, [["--backend", "threads"], ["--cutoff", "1e30"], ["--cutoff", "1e12"], ["--cores", "1"]])
)
def test_the_count_does_not_depend_on_how_it_is_done(command: Run, options: list[str]) -> None:
    answer = command(str(BOARDS / "1d.txt"), "--quiet", "--engine", "search", *options)
    assert (answer.stdout, answer.stderr) == (f"{search.count(read(BOARDS / '1d.txt'))}\n", "")


@pytest.mark.slow
def test_a_limit_is_kept_on_all_cores(command: Run) -> None:
    answer = json.loads(command(str(BOARDS / "empty.txt"), "--engine", "search", "--limit", "3e6", "--json").stdout)
    assert (answer["solutions"], answer["complete"]) == ("3000000", False)


@pytest.mark.slow
def test_an_estimate_says_how_many_and_how_long(command: Run) -> None:
    done = command(str(BOARDS / "empty.txt"), "--estimate", "--engine", "search", "--cores", "1")
    facts = dict(re.findall(r"^  (\S.*?)  +(.*)$", done.stdout, re.MULTILINE))
    assert re.fullmatch(r"about [4-9]\.\d\de21 \(95 %: \d\.\d\de2\d to \d\.\d\de2\d\)", facts["solutions"])
    assert re.fullmatch(r"about \S+ years \(95 %: \S+ years to \S+ years\) by search on 1 core", facts["time"])
    exact = command(str(BOARDS / "1c.txt"), "--estimate").stdout
    assert re.search(r"^  solutions       134037 \(counted\)$", exact, re.MULTILINE)
    answer = json.loads(command(str(BOARDS / "1e.txt"), "--estimate", "--engine", "search", "--json").stdout)
    assert answer["estimated_solutions"]["low"] < 3e6 < 1.5 * answer["estimated_solutions"]["high"]
    assert set(answer["estimated_seconds"]) == {"mean", "low", "high"}
    assert (answer["exact"], answer["probes"] > 100) == (False, True)


def test_conflicting_clues_are_an_answer(command: Run) -> None:
    done = command("-", stdin="5...5" + "." * 76)
    assert re.search(r"conflict +row 1 holds 5 twice, at r1c1 and r1c5", done.stdout)
    assert re.search(r"solutions +0$", done.stdout, re.MULTILINE)
    assert done.returncode == 0
    answer = json.loads(command("-", "--json", stdin="5...5" + "." * 76).stdout)
    assert answer["conflicts"] == ["row 1 holds 5 twice, at r1c1 and r1c5"]


def test_the_version_says_what_was_compiled(command: Run) -> None:
    done = command("--version")
    assert f"enumerator {enumerator.__version__}" in done.stdout
    assert re.search(r"kernel: compiled by .+ from Cython 3\.\d+.*, checks off, flags -O3", done.stdout)
    assert "-march=native" not in done.stdout


@pytest.mark.slow
def test_help_teaches_with_examples_that_work(command: Run) -> None:
    text = command("--help").stdout
    assert "enumerate boards/1c.txt" in text
    examples = re.findall(r"^  enumerate (boards/\S+\.txt.*?)  ", text, re.MULTILINE)
    assert len(examples) == 6
    for example in examples:
        done = subprocess.run(
            f"{COMMAND} {example}", shell=True, cwd=ROOT, capture_output=True, timeout=60, check=False
        )
        assert done.stdout
        assert (done.returncode, done.stderr) == (0, b"")


# -------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no board given"),
        (["x.txt", "--cores", "0"], "--cores: '0' is not a whole number of at least 1"),
        (["x.txt", "--cores", "-1"], "--cores"),
        (["x.txt", "--cores", "two"], "--cores: 'two'"),
        (["x.txt", "--cores", "1e5000"], "--cores: '1e5000'"),
        (["x.txt", "--no\nsuch"], r"--no\nsuch"),
        (["x.txt", "--limit", "0"], "--limit: '0'"),
        (["x.txt", "--limit", "1.5"], "--limit: '1.5'"),
        (["x.txt", "--limit", "1e-3"], "--limit"),
        (["x.txt", "--engine", "magic"], "--engine"),
        (["x.txt", "--backend", "magic"], "--backend"),
        (["x.txt", "--cutoff", "0"], "--cutoff: '0' is not a size between 1 and 1e9999"),
        (["x.txt", "--cutoff", "1e99999"], "--cutoff: '1e99999'"),
        (["x.txt", "--cutoff", "-5"], "--cutoff"),
        (["x.txt", "--shape", "9"], "--shape: '9' is not a shape"),
        (["x.txt", "--shape", "1x9"], "--shape: a box of 1x9 is not between 2x2 and 8x8"),
        (["x.txt", "--json", "--quiet"], "not allowed with"),
        (["x.txt", "--nonsense"], "--nonsense"),
        (["absent.txt"], "absent.txt: No such file or directory"),
        (["."], ".: Is a directory"),
        (["-"], "<stdin>: no board in it"),
    ],
)
def test_mistakes_end_with_status_2_and_one_line(command: Run, arguments: list[str], message: str) -> None:
    assert_mistake(command(*arguments), message)


def test_one_unusable_board_does_not_keep_the_others_from_an_answer(command: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad\nname.txt"
    bad.write_text("123456789\n" * 2 + "12345678X\n")
    done = command(str(bad), "absent.txt", "-", "--quiet", stdin=f"{PUZZLE}\n{PUZZLE[1:]}x\n{PUZZLE}\n")
    assert done.stdout == "1\n1\n"
    assert done.returncode == 2
    errors = done.stderr.splitlines()
    assert errors[0].endswith(r"bad\nname.txt:3:9: 'X' is no digit of a 9×9 board")
    assert errors[1:] == [
        "enumerate: absent.txt: No such file or directory",
        "enumerate: <stdin>:2:81: 'x' is no digit of a 9×9 board",
    ]


# ------------------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("asked", "group"), [(signal.SIGINT, True), (signal.SIGTERM, False)], ids=["by a terminal", "by a process"]
)
@pytest.mark.parametrize(("cores", "seconds"), slow_after(1, [(1, 1.0), (2, 0.5), (2, 2.5)]))
def test_an_interrupted_count_says_how_far_it_got(
    asked: signal.Signals, group: bool, cores: int, seconds: float
) -> None:
    with started(str(BOARDS / "empty.txt"), "--engine", "search", "--cores", str(cores)) as process:
        sleep(seconds)
        has_processes = seconds > 2 and usable_cores() > 1
        assert wait_for(lambda: bool(children(process.pid)) == has_processes, 10)
        everyone = children(process.pid)
        asked_at = perf_counter()
        (os.killpg if group else os.kill)(process.pid, asked)
        output, errors = process.communicate(timeout=10)
        assert perf_counter() - asked_at < 2  # 0.2 s, and more where the machine is busy
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone), 2)
    assert process.returncode == 130
    (found,) = re.findall(r"solutions +at least (\d+) \(not complete\)", output)
    assert int(found) > 100_000
    assert errors == "enumerate: interrupted: this count is not complete\n"


@pytest.mark.slow
@pytest.mark.skipif(usable_cores() == 1, reason="one core: no processes")
def test_a_count_survives_a_killed_worker() -> None:
    program = "import sys; from enumerator.command.main import main; from enumerator.run.pacing import Pacing;"
    program += "sys.exit(main(pacing=Pacing(pool_worth=0)))"
    arguments = (str(BOARDS / "1f.txt"), "--engine", "search", "--quiet")
    with started(*arguments, program=program, cwd=BOARDS) as process:
        assert wait_for(lambda: workers(process.pid))
        worker = workers(process.pid)[0]
        assert wait_for(lambda: seconds_of_work(worker) > 1)
        os.kill(worker, signal.SIGKILL)
        output, errors = process.communicate(timeout=40)
    assert (process.returncode, output) == (0, "27686226\n")  # see boards/README.md
    assert re.fullmatch(r"enumerate: a worker has died \(SIGKILL\); \d tasks? will run again\n", errors)


@pytest.mark.slow
def test_workers_do_not_outlive_a_killed_parent() -> None:
    with started(str(BOARDS / "empty.txt"), "--engine", "search", "--cores", "2") as process:
        assert wait_for(lambda: workers(process.pid)) or usable_cores() == 1
        everyone = children(process.pid)
        sleep(0.3)
        process.kill()
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone), 5)
        process.communicate(timeout=5)  # until what cleans up behind them has done so


def test_an_interrupt_is_heard_while_the_reader_of_the_output_sleeps(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n" * 3000)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with started("many.txt", "--json", cwd=tmp_path, env=environment) as process:
        sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=2) == 130
        assert process.stderr
        assert process.stderr.read() in ("", "enumerate: interrupted: not all boards are answered\n")


def test_an_interrupt_during_start_up_leaves_no_traceback() -> None:
    """As if Ctrl-C came in the middle of the command's own imports."""
    program = """
import builtins
from enumerator.__main__ import main
real = builtins.__import__
def interrupted(name, *rest):
    if name == "enumerator.board.phrases":
        raise KeyboardInterrupt
    return real(name, *rest)
builtins.__import__ = interrupted
raise SystemExit(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (130, b"")


def test_a_reader_that_leaves_is_no_drama() -> None:
    with started("-", stdin=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.close()
        _, errors = process.communicate(f"{PUZZLE}\n" * 50, timeout=20)
    assert errors == ""
    assert process.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [COMMAND, str(BOARDS / "1a.txt")], stdout=full, stderr=subprocess.PIPE, text=True, timeout=20, check=False
        )
    assert done.stderr == "enumerate: standard output: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("line", "status", "output"),
    slow_after(
        5,
        [
            ("--help >/dev/full", 1, ""),
            ("absent.txt 2>/dev/full", 2, ""),
            (f"{BOARDS}/1a.txt absent.txt {BOARDS}/1a.txt --quiet 2>/dev/full", 2, "1\n1\n"),
            ("absent.txt 2>&-", 2, ""),
            (f"- --quiet <&- 2>&1 {BOARDS}/1a.txt", 2, "enumerate: <stdin>: Bad file descriptor\n1\n"),
            (f"{BOARDS}/2e.txt --engine search --quiet 2>&-", 0, "7305949\n"),
        ],
    ),
)
def test_the_exit_status_holds_when_nobody_listens(line: str, status: int, output: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        f"{COMMAND} {line}", shell=True, env=environment, stdout=subprocess.PIPE, timeout=20, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (status, output)


def test_a_file_without_lines_is_not_read_to_its_end() -> None:
    done = subprocess.run([COMMAND, "/dev/zero"], capture_output=True, text=True, timeout=20, check=False)
    assert done.stderr == "enumerate: /dev/zero:1: a line of more than 100,000 characters\n"
    assert done.returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full") or not os.path.exists("/proc/self/fd"), reason="not Linux")
def test_what_is_given_up_is_not_left_open() -> None:
    program = "import os, sys; from enumerator.command.main import main\n"
    program += "open_files = lambda: len(os.listdir('/proc/self/fd'))\n"
    program += "before = open_files(); status = main(['-', '--list', '--output', '/dev/full'])\n"
    program += "sys.exit(status + 10 * (open_files() - before))"
    done = subprocess.run(
        [sys.executable, "-c", program], input=PUZZLE, capture_output=True, text=True, timeout=20, check=False, cwd="/"
    )
    assert done.stderr == "enumerate: /dev/full: No space left on device; 0 solutions written\n"
    assert done.returncode == 1


def test_a_name_that_no_file_can_have_is_a_mistake() -> None:
    program = (
        "import sys; from enumerator.command.main import main; sys.exit(main(['-', '--list', '--output', 'a\\0b']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=PUZZLE, capture_output=True, text=True, timeout=20, check=False, cwd="/"
    )
    assert_mistake(done, r"--output: 'a\x00b' is no file")


def test_a_closed_standard_output_is_said() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{COMMAND} {BOARDS}/1a.txt >&-"], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.stderr == "enumerate: standard output is closed\n"
    assert done.returncode == 1


def test_a_missing_kernel_is_a_clear_error(tmp_path: Path) -> None:
    """A source tree that was never built: no slow path, no traceback."""
    tree = tmp_path / "enumerator"
    for path in Path(enumerator.__file__).parent.rglob("*.py"):
        copy = tree / path.relative_to(Path(enumerator.__file__).parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    program = "import sys; from enumerator.command.main import main; sys.exit(main())"
    for arguments in ([str(BOARDS / "1a.txt")], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert "the compiled kernel of enumerator is missing" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.returncode == 1


def test_an_error_without_a_name_is_shown_as_it_is() -> None:
    """Not every OSError is one of standard output, and not every ImportError a missing kernel."""
    for error in ("OSError(5, 'Input/output error')", "ImportError('no module')"):
        program = f"""
import sys
from enumerator.command.main import main
from enumerator.questions import count

def broken(*arguments, **options):
    raise {error}

count.count = broken
sys.exit(main([sys.argv[1]]))
"""
        done = subprocess.run(
            [sys.executable, "-c", program, str(BOARDS / "1a.txt")],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("Traceback")
        assert "standard output" not in done.stderr


@pytest.mark.skipif(usable_cores() == 1, reason="one core: no processes")
def test_processes_of_a_command_without_standard_error_write_nothing_to_standard_output() -> None:
    program = "import sys; from enumerator.command.main import main; from enumerator.run.pacing import Pacing;"
    program += "sys.exit(main(pacing=Pacing(pool_worth=-1, pool_seconds=0.1)))"
    line = f"{sys.executable} -c '{program}' {BOARDS}/2e.txt --engine search --quiet 2>&-"
    done = subprocess.run(line, shell=True, stdout=subprocess.PIPE, timeout=40, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "7305949\n")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["--status", "run.db"], "run.db"),
        ([str(BOARDS / "1a.txt"), "--checkpoint", "run.db"], "run.db"),
        ([str(BOARDS / "1a.txt"), "--list", "--output", "list"], "list"),
    ],
)
def test_a_folder_that_was_removed_is_a_mistake(tmp_path: Path, arguments: list[str], name: str) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with started(*arguments, preexec_fn=folder.rmdir, cwd=folder) as process:
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, output) == (2, "")
    assert errors == f"enumerate: {name}: No such file or directory\n"


# --------------------------------------------------------------------------------------------- terminals


def test_a_terminal_shows_the_board_with_its_figures_beside_it() -> None:
    shown = on_a_terminal(str(BOARDS / "1c.txt"))
    lines = shown.splitlines()
    assert lines[1].startswith("┌───────┬───────┬───────┐   shape")
    rows = [line for line in lines if line.startswith("│")]
    drawn = "".join("".join(re.findall(r"[\d·]", row[:25])) for row in rows)
    assert Board.parse(drawn.replace("·", ".")) == read(str(BOARDS / "1c.txt"))
    assert f"{enumerator.count(read(str(BOARDS / '1c.txt'))):,}" in shown


def test_a_narrow_terminal_shows_the_figures_below_or_alone() -> None:
    assert max(map(len, on_a_terminal(str(BOARDS / "1c.txt"), columns=50).splitlines())) <= 50
    narrow = on_a_terminal(str(BOARDS / "25x25-unique.txt"), columns=50)
    assert "│" not in narrow
    assert "25x25-unique.txt" in narrow


def test_a_terminal_that_cannot_draw_gets_plain_text() -> None:
    for shown in (
        on_a_terminal(str(BOARDS / "1c.txt"), columns=0),
        on_a_terminal(str(BOARDS / "1c.txt"), columns=8),
        on_a_terminal(str(BOARDS / "1c.txt"), PYTHONIOENCODING="ascii"),
    ):
        assert re.search(r"^  solutions       134037$", shown, re.MULTILINE)


def test_what_a_terminal_shows_can_be_read_again() -> None:
    shown = on_a_terminal(str(BOARDS / "6x6-unique.txt"), columns=45).splitlines()
    drawing = [line for line in shown if line[:1] in "┌│├└"]
    assert Board.parse("\n".join(drawing).replace("·", ".")) == read(str(BOARDS / "6x6-unique.txt"))


@pytest.mark.parametrize("columns", slow_after(1, [60, 30, 100]))
def test_a_bar_shows_how_far_a_count_is(columns: int) -> None:
    shown = on_a_terminal(str(BOARDS / "2e.txt"), "--engine", "search", columns=columns)
    frames = re.findall(r"(\d+\.\d) % .*?([\d.]+ s), about ([\d.]+ s) left", shown)
    assert frames, shown
    shares = [float(share) for share, _, _ in frames]
    assert shares == sorted(shares)
    assert 1 < shares[0] < 100
    assert ("solutions, " in shown) == (columns >= 80)
    assert ("━" in shown) == (columns >= 40)
    bars = re.findall(r"[^\r\n]*left", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown))
    assert max(map(len, bars)) <= columns


@pytest.mark.slow
def test_there_is_no_bar_where_none_is_wanted() -> None:
    for option in ("--no-progress", "--quiet"):
        assert "left" not in on_a_terminal(str(BOARDS / "2e.txt"), "--engine", "search", option)


@pytest.mark.slow
def test_there_is_no_bar_in_a_pipe(command: Run) -> None:
    done = command(str(BOARDS / "2e.txt"), "--engine", "search")
    assert "left" not in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    "surroundings",
    slow_after(
        1,
        [
            "unset HOME XDG_CACHE_HOME",
            "export HOME=/nowhere TMPDIR=/nowhere",
            "export PYTHONHASHSEED=7",
            "export LC_ALL=C LANG=C PYTHONUTF8=0",
            "export LC_ALL=no_such.locale",
            "export PYTHONDONTWRITEBYTECODE=1 PYTHONSAFEPATH=1",
            "ulimit -n 64",
            "ulimit -v 400000",
            "exec <&-",
        ],
    ),
)
def test_a_count_does_not_depend_on_its_surroundings(surroundings: str, tmp_path: Path) -> None:
    ask = f"{COMMAND} {BOARDS / '1e.txt'} {BOARDS / '2b.txt'}"
    lists = f"{COMMAND} {BOARDS / '2b.txt'} --list | sort | uniq | wc -l"
    program = f"{surroundings}; {ask} --quiet --engine search && {ask} --quiet && {ask} > /dev/null && {lists}"
    done = subprocess.run(
        ["bash", "-c", program], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False
    )
    assert done.stdout.split() == ["2663219", "184", "2663219", "184", "184"]
    assert (done.returncode, done.stderr if "locale" not in surroundings else "") == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("megabytes", slow_after(1, [60, 100, 200, 400]))
def test_a_list_that_cannot_be_compressed_is_lost_in_a_line(megabytes: int, tmp_path: Path) -> None:
    ask = f"ulimit -v {megabytes * 1000}; {COMMAND} {BOARDS / '1d.txt'} --list --output all.zst"
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
    assert done.returncode in (0, 1)
    assert (done.returncode == 0) == (done.stderr == "")
    assert done.stderr.count("\n") <= 1
    assert "Traceback" not in done.stderr
