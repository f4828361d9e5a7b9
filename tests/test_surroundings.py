"""The suite itself: it passes however it is started, leaves nothing, and describes what does not end."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.boards import ROOT
from support.leftovers import MARK, marked, shared_files
from support.processes import StillRunningError, children, is_alive, launched, run, run_python, wait_for, workers
from support.surroundings import FILES

# ------------------------------------------------------------------------------------- what commands find


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_commands_ignore_and_block_no_signal() -> None:
    lines = run(["cat", "/proc/self/status"]).stdout.splitlines()
    masks = {name: mask.strip() for name, _, mask in (line.partition(":") for line in lines)}
    named = (1 << 31) - 1  # the C library has others for itself
    assert (int(masks["SigIgn"], 16) & named, int(masks["SigBlk"], 16) & named) == (0, 0)


def test_this_process_handles_interrupts_as_python_does() -> None:
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
    assert signal.SIG_IGN not in map(signal.getsignal, (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGQUIT))
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_commands_keep_what_they_compile(tmp_path: Path) -> None:
    (tmp_path / "small.py").write_text("")
    program = "import os, sys; sys.path.insert(0, '.'); import small; sys.exit(not os.path.exists(small.__cached__))"
    run_python(program, cwd=tmp_path, status=0)


def test_commands_have_a_home_and_no_wishes_of_the_user(tmp_path: Path) -> None:
    program = "import os, resource, sys, tempfile; print(os.path.expanduser('~'), tempfile.gettempdir(), os.umask(0),"
    program += "resource.getrlimit(resource.RLIMIT_NOFILE)[0], sys.stdout.encoding, sys.flags.hash_randomization,"
    program += "'NO_COLOR' in os.environ, 'FORCE_COLOR' in os.environ, 'COLUMNS' in os.environ, sep='\\n')"
    folder, most_files = os.environ[MARK], resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = FILES if most_files == resource.RLIM_INFINITY else min(FILES, most_files)
    expected = [f"{folder}/home", f"{folder}/tmp", 0o022, files, "utf-8", 1, False, False, False]
    assert run_python(program, cwd=tmp_path).stdout.split("\n")[:-1] == list(map(str, expected))
    assert tempfile.gettempdir() == f"{folder}/tmp"


# --------------------------------------------------------------------------------------- how it is started

SENSITIVE = [
    "test_surroundings.py::test_commands_ignore_and_block_no_signal",
    "test_surroundings.py::test_this_process_handles_interrupts_as_python_does",
    "test_surroundings.py::test_commands_keep_what_they_compile",
    "test_surroundings.py::test_commands_have_a_home_and_no_wishes_of_the_user",
    "command/test_command_signals.py::test_an_interrupt_in_the_first_moments_leaves_no_traceback[2-SIGINT]",
    "command/test_command_signals.py::test_a_closed_standard_input_is_not_taken_for_an_empty_one",
    "command/test_command_terminal.py::test_a_terminal_says_that_there_is_nothing_to_list",
]
"""Tests that see signals, environment, streams, paths and terminals."""

NOT_FOR_ROOT = [
    "board/test_files.py::test_an_unreadable_file_is_named",
    "run/test_damage.py::test_a_ledger_that_may_not_be_read_is_said",
]
"""Tests that are skipped for root, who may read everything."""

BLOCKING = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); "
BLOCKING += "os.execv(sys.argv[1], sys.argv[1:])"
"""A Python program that starts another with all signals blocked."""

ONE_CORE = "if command -v taskset; then taskset -p -c $CORE $$; fi > /dev/null"

SHELLS: dict[str, list[str]] = {
    "-n4": [  # a script without a home
        *("trap '' INT HUP QUIT TERM USR1 CHLD PIPE", "cd /", "exec <&-", "umask 077", "ulimit -n 256"),
        *("unset HOME TMPDIR USER LANG", "export LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0"),
        *("export XDG_CACHE_HOME=/none XDG_CONFIG_HOME=/none", f'set -- "$1" -c "{BLOCKING}" "$@"'),
    ],
    "-pno:xdist": [  # a user with wishes
        ONE_CORE,
        "export NO_COLOR=1 FORCE_COLOR=1 COLUMNS=20 LINES=5 TERM=dumb PYTHONIOENCODING=ascii",
        "export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONHASHSEED=0 PYTHONWARNINGS=ignore",
    ],
}
"""Commands of a shell that starts the suite, by the option with which it does: on four workers, and without xdist."""


def sub_pytest(*arguments: str, python: str = sys.executable, before: str = ":", **more: str) -> tuple[list[str], Any]:
    """Return the line that starts pytest after some commands of a shell, and its environment."""
    ours = (MARK, "PYTEST_", "COV_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    line = ["sh", "-c", f'{before}; exec "$@"', "sh", python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return [*line, *arguments], {**environment, "PYTEST_DEBUG_TEMPROOT": os.environ[MARK], **more}


def assert_passed(
    *arguments: str, tests: list[str] = SENSITIVE, root: Path = ROOT, user: Sequence[str] = (), **options: Any
) -> str:
    """Assert that all tests pass if a user starts them; return what is printed."""
    line, environment = sub_pytest(*arguments, *(f"{root}/tests/{test}" for test in tests), **options)
    done = run([*user, *line], env=environment, cwd=root, timeout=250)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"^{len(tests)} passed in ", done.stdout, re.MULTILINE), done.stdout
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("option", SHELLS)
def test_the_suite_passes_however_a_shell_starts_it(option: str) -> None:
    said = assert_passed(option, before="; ".join(SHELLS[option]), CORE=str(min(os.sched_getaffinity(0))))
    if "ulimit -n 256" in SHELLS[option]:
        hindrance = f"only 256 files may be open (ulimit -Hn), and tests open up to {FILES}"
        assert re.search(rf"^Tests may fail here: {re.escape(hindrance)}[.;]", said, re.MULTILINE), said


def another_user() -> list[str]:
    """Return the words that start a program as a user who is not root; [] if root cannot make one."""
    alias = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else ["env"]
    try:
        return alias if run([*alias, "true"]).returncode == 0 else []
    except OSError:
        return []


@pytest.mark.slow
def test_the_suite_passes_for_a_user_who_may_not_write_in_a_folder_whose_name_has_a_space(tmp_path: Path) -> None:
    """The tests and the environment are there; the package stays where it is installed."""
    clone = tmp_path / "a clone"
    for name in ("bench", "boards", "tests"):
        shutil.copytree(ROOT / name, clone / name)
    shutil.copy(ROOT / "pyproject.toml", clone)
    (clone / "environment").symlink_to(sys.prefix)
    for folder, *_ in os.walk(clone):
        os.chmod(folder, 0o555)
    user = another_user()
    tests = SENSITIVE + NOT_FOR_ROOT if user else SENSITIVE
    assert_passed("-n0", tests=tests, root=clone, user=user, python=str(clone / "environment" / "bin" / "python"))


# ------------------------------------------------------------------------------------- what is left behind

LEAVING = """
import os, sys, tempfile, time
from support.processes import started

def test_leaving():
    line = [sys.executable, "-c", "import time; time.sleep(1000)"]
    os.posix_spawn(line[0], line, os.environ, setsid=True)
    open(os.path.join(tempfile.gettempdir(), "forgotten"), "w").close()

def test_waiting():
    with started(program="import time; time.sleep(1000)"):
        print("waiting", flush=True)
        time.sleep(1000)
"""


@pytest.mark.slow
def test_what_a_test_leaves_is_named_and_ended_and_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(LEAVING)
    line, environment = sub_pytest("-n0", "-p", "conftest", "-k", "leaving", f"{tmp_path}/test_it.py")
    environment |= {"PYTHONPATH": str(ROOT / "tests"), "ENUMERATOR_TESTS_PATIENCE": "0.5"}
    done = run([*line, "-c", str(ROOT / "pyproject.toml")], env=environment, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    (process,) = (line for line in done.stdout.splitlines() if line.startswith("process "))
    assert "time.sleep(1000), started by " in process
    assert "test_leaving (call)" in process
    assert not is_alive(int(process.split()[1].rstrip(":")))
    (file,) = (Path(line.removeprefix("file ")) for line in done.stdout.splitlines() if line.startswith("file "))
    assert file.name == "forgotten"
    assert not file.parent.parent.exists(), "the folder of the run"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_interrupted_or_killed_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    """SIGTERM is handled as SIGINT is."""
    (tmp_path / "test_it.py").write_text(LEAVING)
    line, environment = sub_pytest("-n0", "-s", "-p", "conftest", "-k", "waiting", f"{tmp_path}/test_it.py")
    environment |= {"PYTHONPATH": str(ROOT / "tests")}
    with launched([*line, "-c", str(ROOT / "pyproject.toml")], env=environment, cwd=tmp_path) as process:
        assert wait_for(lambda: any("time.sleep(1000)" in line for line in children(process.pid).values()))
        (below,) = (pid for pid, line in children(process.pid).items() if "time.sleep(1000)" in line)
        mark = next(one for one in Path(f"/proc/{below}/environ").read_text().split("\0") if one.startswith(MARK))
        process.send_signal(number)
        folder = mark.partition("=")[2]
        assert wait_for(lambda: not is_alive(below))
        assert wait_for(lambda: not Path(folder).exists())
        assert marked(folder, 0) == {}


# ------------------------------------------------------------------------------------ what does not end

HANGING = """
import subprocess, sys, time
def hang():
    subprocess.run(["sleep", "1000"])
print("halfway", flush=True)
hang()
"""


def test_a_command_that_does_not_end_is_described() -> None:
    with launched([sys.executable, "-c", HANGING, "an argument"]) as process:
        assert wait_for(lambda: any(line.startswith("sleep 1000") for line in children(process.pid).values()))
        with pytest.raises(StillRunningError) as caught:
            process.communicate(timeout=0.1)
        assert process.returncode == -signal.SIGABRT
    said = str(caught.value)
    assert said.startswith(f"{process.pid} did not end within 0 s: ")
    assert "'an argument'" in said
    assert ": sleep 1000" in said.partition("children:")[2].partition("output:")[0]
    assert "output:\nhalfway\n" in said
    assert "Fatal Python error: Aborted" in said
    assert " in hang\n" in said


def test_what_a_killed_command_shares_in_memory_is_removed(tmp_path: Path) -> None:
    """Its processes are killed, and leave semaphores and folders to trackers, which are killed last."""
    program = "import loky, time; pool = loky.get_reusable_executor(1); pool.submit(time.sleep, 1000).result()"
    with launched([sys.executable, "-c", program], cwd=tmp_path) as process:
        assert wait_for(lambda: workers(process.pid))
        assert shared_files({process.pid})
    assert not shared_files({process.pid})
