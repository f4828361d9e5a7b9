"""The end of the command: interrupts, killed workers, closed streams, full disks, little memory."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from shlex import quote
from time import sleep

import pytest
from support.boards import BOARDS, PUZZLE, board_file
from support.cases import slow_after
from support.lateness import Stopwatch
from support.processes import (
    COMMAND,
    EARLY_PROCESSES,
    assert_mistake,
    children,
    launched,
    run,
    run_python,
    seconds_of_work,
    started,
    unread_bytes,
    wait_for,
    workers,
)

import enumerator
from enumerator.run.workers.executors import usable_cores


@pytest.mark.parametrize(
    ("cores", "has_processes", "asked", "group"),
    slow_after(
        1,
        [
            (1, False, signal.SIGINT, True),  # by a terminal
            (2, False, signal.SIGTERM, False),  # by a process
            (2, True, signal.SIGINT, True),
            (2, True, signal.SIGTERM, False),
        ],
    ),
)
def test_an_interrupted_count_says_how_far_it_got(
    cores: int, has_processes: bool, asked: signal.Signals, group: bool
) -> None:
    arguments = (str(BOARDS / "empty.txt"), "--engine", "search", "--cores", str(cores))
    with started(*arguments, program=EARLY_PROCESSES if has_processes else None) as process:
        if has_processes and usable_cores() > 1:
            assert wait_for(lambda: workers(process.pid))
        else:
            assert wait_for(lambda: seconds_of_work(process.pid) > 0.4)
        everyone = children(process.pid)
        with Stopwatch() as watch:
            (os.killpg if group else os.kill)(process.pid, asked)
            output, errors = process.communicate()
        assert watch.seconds < 2  # 0.2 s, and more where the machine is busy
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone))
    assert process.returncode == 130
    (found,) = re.findall(r"solutions +at least (\d+) \(stopped\)", output)
    assert int(found) > 1_000  # a million on a machine that has nothing else to do
    assert errors == "enumerate: interrupted: this count is not complete\n"


@pytest.mark.slow
def test_workers_do_not_outlive_a_killed_parent() -> None:
    arguments = (str(BOARDS / "empty.txt"), "--engine", "search", "--cores", "2")
    with started(*arguments, program=EARLY_PROCESSES) as process:
        assert usable_cores() == 1 or wait_for(lambda: workers(process.pid))
        everyone = children(process.pid)
        sleep(0.3)
        process.kill()
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone))
        _, errors = process.communicate()  # until what cleans up behind them has done so
        assert errors == ""


@pytest.mark.slow
def test_an_interrupt_is_heard_while_the_reader_of_the_output_sleeps(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n" * 3000)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with started("many.txt", "--json", cwd=tmp_path, env=environment) as process:
        assert wait_for(lambda: unread_bytes(process.stdout) > 32_000)
        with Stopwatch() as watch:
            process.send_signal(signal.SIGINT)
            assert process.wait() == 130
        assert watch.seconds < 2
        assert process.stderr
        said = r"enumerate: interrupted after [\d,]+ boards: the others are not answered\n"
        assert re.fullmatch(rf"({said})?", process.stderr.read())


def test_an_interrupt_during_start_up_leaves_no_traceback() -> None:
    """An interrupt comes in the middle of the command's own imports."""
    program = """
import builtins
from enumerator.__main__ import main
real = builtins.__import__
def interrupted(name, *rest):
    if name == "enumerator.text.phrases":
        raise KeyboardInterrupt
    return real(name, *rest)
builtins.__import__ = interrupted
raise SystemExit(main())
"""
    done = run_python(program)
    assert (done.returncode, done.stderr) == (130, "")


def test_a_reader_that_leaves_is_no_drama() -> None:
    with started("-", stdin=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.close()
        _, errors = process.communicate(f"{PUZZLE}\n" * 50)
    assert errors == ""
    assert process.returncode == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("form", slow_after(1, ["--quiet", "--json", "--list", "--classify"]))
def test_a_disk_that_fills_up_within_many_answers_is_said(form: str, unbuffered: str, tmp_path: Path) -> None:
    """The system then writes a part of what it is given, and reports the error at the next call."""
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n" * 3000)
    line = (
        f"ulimit -f 4; trap '' XFSZ; export PYTHONDONTWRITEBYTECODE=1; exec {quote(COMMAND)} many.txt {form} >out.txt"
    )
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = run(line, cwd=tmp_path, env=environment)
    assert re.fullmatch(r"enumerate: standard output: File too large(; [\d,]+ solutions written)?\n", done.stderr)
    assert done.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("argument", slow_after(1, [str(BOARDS / "1a.txt"), "--help", "--version"]))
def test_a_full_disk_is_said(argument: str, unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        done = run([COMMAND, argument], stdout=full, env=environment)
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
            (f"'{BOARDS}/1a.txt' absent.txt '{BOARDS}/1a.txt' --quiet 2>/dev/full", 2, "1\ninvalid\n1\n"),
            ("absent.txt 2>&-", 2, ""),
            (f"- --quiet <&- 2>&1 '{BOARDS}/1a.txt'", 2, "invalid\nenumerate: <stdin>: Bad file descriptor\n1\n"),
            (f"'{BOARDS}/1d.txt' --engine search --quiet 2>&-", 0, "1035153\n"),
        ],
    ),
)
def test_the_exit_status_holds_when_nobody_listens(line: str, status: int, output: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = run(f"{quote(COMMAND)} {line}", env=environment)
    assert (done.returncode, done.stdout) == (status, output)


def test_a_file_without_lines_is_not_read_to_its_end() -> None:
    done = run([COMMAND, "/dev/zero"])
    assert done.stderr == "enumerate: /dev/zero:1: a line of more than 100,000 characters\n"
    assert done.returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full") or not os.path.exists("/proc/self/fd"), reason="not Linux")
def test_what_is_given_up_is_not_left_open() -> None:
    program = "import os, sys; from enumerator.command.main import main\n"
    program += "open_files = lambda: len(os.listdir('/proc/self/fd'))\n"
    program += "before = open_files(); status = main(['-', '--list', '--output', '/dev/full'])\n"
    program += "sys.exit(status + 10 * (open_files() - before))"
    done = run_python(program, stdin=PUZZLE, cwd="/")
    assert done.stderr == "enumerate: /dev/full: No space left on device; 0 solutions written\n"
    assert done.returncode == 1


def test_a_name_that_no_file_can_have_is_a_mistake() -> None:
    program = (
        "import sys; from enumerator.command.main import main; sys.exit(main(['-', '--list', '--output', 'a\\0b']))"
    )
    done = run_python(program, stdin=PUZZLE, cwd="/")
    assert_mistake(done, r"--output: 'a\x00b' is not a file name")


def test_a_closed_standard_output_is_said() -> None:
    done = run(f"{quote(COMMAND)} '{BOARDS}/1a.txt' >&-")
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
        done = run_python(program, *arguments, cwd=tmp_path)
        assert "the compiled kernel of enumerator is missing" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.returncode == 1


def test_an_error_without_a_name_is_shown_as_it_is() -> None:
    """An OSError need not be one of standard output, nor an ImportError one of a missing kernel."""
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
        done = run_python(program, str(BOARDS / "1a.txt"))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("Traceback")
        assert "standard output" not in done.stderr


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
    line = [sys.executable, COMMAND, *arguments]  # where its path has a blank, a shell starts it, and complains
    with launched(line, preexec_fn=folder.rmdir, cwd=folder) as process:
        output, errors = process.communicate()
    assert (process.returncode, output) == (2, "")
    assert errors == f"enumerate: {name}: No such file or directory\n"


@pytest.mark.parametrize(
    "surroundings",
    slow_after(
        1,
        [
            "unset HOME XDG_CACHE_HOME; export PYTHONHASHSEED=7 PYTHONDONTWRITEBYTECODE=1 PYTHONSAFEPATH=1",
            "export HOME=/nowhere TMPDIR=/nowhere LC_ALL=C LANG=C PYTHONUTF8=0",
            "export LC_ALL=no_such.locale",
            "ulimit -n 64; exec <&-",
            "ulimit -v 400000",
        ],
    ),
)
def test_a_count_does_not_depend_on_its_surroundings(surroundings: str, tmp_path: Path) -> None:
    short, long = (f"{quote(COMMAND)} {quote(board_file(name))} {quote(board_file('2b'))}" for name in ("1c", "1d"))
    lists = f"{quote(COMMAND)} {quote(board_file('2b'))} --list | sort | uniq | wc -l"
    program = f"{surroundings}; {short} --quiet --engine search && {short} > /dev/null && {long} --quiet && {lists}"
    done = run(["bash", "-c", program], cwd=tmp_path)
    assert done.stdout.split() == ["134037", "184", "1035153", "184", "184"]
    assert (done.returncode, done.stderr if "locale" not in surroundings else "") == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("megabytes", slow_after(1, [60, 100, 200, 400]))
def test_a_list_that_cannot_be_compressed_is_lost_in_a_line(megabytes: int, tmp_path: Path) -> None:
    ask = f"ulimit -v {megabytes * 1000}; {quote(COMMAND)} {quote(board_file('1d'))} --list --output all.zst"
    done = run(["bash", "-c", ask], cwd=tmp_path)
    assert done.returncode in (0, 1)
    assert (done.returncode == 0) == (done.stderr == "")
    assert done.stderr.count("\n") <= 1
    assert "Traceback" not in done.stderr
