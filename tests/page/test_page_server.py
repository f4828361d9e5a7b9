"""The life of the page's server: its options, its address, the browser, and its end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from support.boards import PUZZLE, ROOT, regular
from support.cases import slow_after
from support.lateness import within_some_time
from support.pages import EMPTY_16, JSON, needs_web, served
from support.processes import PATIENCE, run, started, wait_for

import enumerator as en
from enumerator import page
from enumerator.board import Shape
from enumerator.command.options import make_parser

Run = Callable[..., subprocess.CompletedProcess[str]]


def run_page(*arguments: str, program: str = "") -> tuple[int, str, str]:
    """Run the command, or a program, until it ends; return its status and what it wrote."""
    start = ["-c", program] if program else ["-m", "enumerator"]
    done = run([sys.executable, *start, *arguments], cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


# ------------------------------------------------------------------------------------------------ the end


@needs_web
@pytest.mark.parametrize("number", slow_after(1, [signal.SIGTERM, signal.SIGHUP]))
def test_an_interrupt_ends_the_server_with_status_0(number: signal.Signals) -> None:
    with served() as server:
        status, seconds, errors = server.end(number)
    assert (status, errors) == (0, "")
    assert seconds < 2


@needs_web
@pytest.mark.slow
def test_an_interrupt_at_any_moment_of_the_start_ends_it() -> None:
    program = (
        "import sys; from enumerator.__main__ import leave_at_interrupts, main; leave_at_interrupts()\n"
        "print('begun', flush=True); sys.argv[1:] = ['--serve', '0']; sys.exit(main())"
    )
    for delay in (0.0, 0.05, 0.1, 0.2, 0.4):
        with started(program=program, cwd=ROOT) as process:
            assert process.line() == "begun\n"
            sleep(delay)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
        assert (process.returncode in (0, 130), errors) == (True, "")


@pytest.mark.slow
@needs_web
def test_an_interrupt_ends_counts_within_two_seconds_and_tells_their_readers() -> None:
    with served() as server, ExitStack() as stack:
        for data in (b"", b"GET / HTTP/1.1\r\n", b"\xff\r\n\r\n"):
            stack.enter_context(server.open_socket(data))
        busy = [server.begin("count", EMPTY_16), server.begin("candidates", EMPTY_16)]
        for _, answer in busy:
            assert json.loads(answer.readline())["kind"] == "progress"
        unread = stack.enter_context(server.open_socket())
        unread.sendall(b"x")
        status, seconds, errors = server.end()
        assert (status, errors) == (0, "")
        assert seconds < 2
        for connection, answer in busy:
            assert json.loads(answer.read().splitlines()[-1])["kind"] == "stopped"
            connection.close()


@pytest.mark.slow
@needs_web
def test_a_client_that_does_not_read_does_not_delay_the_end() -> None:
    body = json.dumps({"board": str(regular(Shape(8, 8))), "number": 1_000})
    with served() as server, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        head = f"POST /api/sample HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        assert connection.recv(10) == b"HTTP/1.1 2"
        status, seconds, errors = server.end()
    assert (status, errors) == (0, "")
    assert seconds < 2


@needs_web
@pytest.mark.usefixtures("no_thread_is_left", "census")
def test_no_thread_and_no_process_is_left() -> None:
    from enumerator.page.server import PageServer

    told: list[str] = []
    for _ in range(2):  # the port is free again
        server = PageServer("127.0.0.1", 0, 1, told.append)
        server.start()
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
            body = json.dumps({"board": EMPTY_16}).encode()
            client.sendall(
                f"POST /api/count HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            assert client.recv(100).startswith(b"HTTP/1.1 200")
            assert server.stop()
        server.wait()
    assert told == []


@needs_web
@pytest.mark.usefixtures("no_thread_is_left")
def test_a_bug_is_one_line_and_the_server_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from enumerator.page.answers import QUESTIONS, Asked, PageQuestion
    from enumerator.page.server import PageServer

    def fail(asked: Asked) -> dict[str, object]:
        return {"board": asked.board.shape.size // 0}

    monkeypatch.setitem(QUESTIONS, "slow", PageQuestion(fail))
    monkeypatch.setitem(QUESTIONS, "quick", PageQuestion(None, fail))
    told: list[str] = []
    server = PageServer("127.0.0.1", 0, 1, told.append)
    server.start()
    try:
        for name, status in (("slow", 200), ("quick", 500), ("slow", 200)):
            connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            connection.request("POST", f"/api/{name}", json.dumps({"board": PUZZLE}), JSON)
            answer = connection.getresponse()
            last = json.loads(answer.read())
            connection.close()
            assert (answer.status, last["kind"], last["code"]) == (status, "error", "internal")
    finally:
        assert server.stop()
    assert [line.partition(":")[0] for line in told] == ["internal error"] * 3
    assert all("ZeroDivisionError" in line for line in told)


@needs_web
@pytest.mark.usefixtures("no_thread_is_left")
def test_a_request_may_begin_late_and_arrive_in_two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for the head of a request begins with its first byte."""
    from enumerator.page import connections
    from enumerator.page.server import PageServer

    monkeypatch.setattr(connections, "CHECK_SECONDS", 0.02)
    server = PageServer("127.0.0.1", 0, 1, print)
    request = f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()

    def is_answered(seconds: float) -> bool:
        monkeypatch.setattr(connections, "REQUEST_SECONDS", seconds)
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
            client.sendall(request)
            assert client.recv(9_000).startswith(b"HTTP/1.1 200")
            sleep(1.2 * seconds)
            client.sendall(request[:20])
            sleep(seconds / 4)
            with suppress(ConnectionError):
                client.sendall(request[20:])
                return client.recv(9_000).startswith(b"HTTP/1.1 200")
            return False

    server.start()
    try:
        assert within_some_time(is_answered, bool)
    finally:
        assert server.stop()


@pytest.mark.slow
@needs_web
def test_python_serves_the_page_until_it_is_interrupted() -> None:
    program = (
        "import enumerator as en; en.serve('1... ..2. .3.. ...4', port=0, open_browser=False, cores=1); print('over')"
    )
    with started(program=program, cwd=ROOT) as process:
        said = process.line()
        assert said.startswith("serving http://127.0.0.1:")
        assert said.endswith("/#2x2/1.....2..3.....4 (Ctrl-C ends it)\n")
        process.send_signal(signal.SIGINT)
        assert process.communicate()[0] == "over\n"
    assert process.returncode == 0


@needs_web
@pytest.mark.parametrize(("port", "error"), [(-1, ValueError), (65_536, ValueError), ("x", TypeError)])
def test_a_port_is_checked(port: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="port must be"):
        en.serve(port=port)


@needs_web
def test_the_arguments_of_python_are_checked() -> None:
    with pytest.raises(TypeError, match="a board is not a number: the port is port=8080"):
        en.serve(8080)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cells"):
        en.serve("12")
    with pytest.raises(ValueError, match="'http://x' is not NAME or NAME:PORT"):
        en.serve(port=0, allow_hosts=["x", "http://x"])
    with pytest.raises(TypeError, match="must be a string, not int"):
        en.serve(port=0, allow_hosts=[1])  # type: ignore[list-item]


# ------------------------------------------------------------------------------------------------ the address


@needs_web
def test_a_busy_port_is_one_sentence_and_status_2(ask: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = ask("--serve", str(port))
    sentence = f"enumerate: port {port} is in use: choose another one, or 0 for any that is free\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


def test_the_command_and_the_library_have_the_same_port() -> None:
    assert make_parser().parse_args(["--serve"]).serve == page.DEFAULT_PORT


@pytest.mark.slow
@needs_web
def test_the_server_listens_on_this_machine_only() -> None:
    with served() as server:
        assert server.said == f"serving http://127.0.0.1:{server.port}/ (Ctrl-C ends it)\n"
        for file, nothing in (("tcp", "00000000"), ("tcp6", "0" * 32)):
            listening = Path(f"/proc/net/{file}")
            if listening.exists():
                assert f"{nothing}:{server.port:04X} " not in listening.read_text()


@pytest.mark.slow
@needs_web
def test_another_address_is_served_with_a_warning() -> None:
    with served("--serve", "0", "--host", "0.0.0.0") as server:
        assert f"http://127.0.0.1:{server.port}/" in server.said
        assert server.request("GET", "/", headers={"Host": f"192.0.2.7:{server.port}"})[0] == 200
        assert server.request("GET", "/", headers={"Host": f"{socket.gethostname()}:{server.port}"})[0] == 200
        assert server.request("GET", "/", headers={"Host": f"[2001:db8::7]:{server.port}"})[0] == 200
        for host in ("evil.example:{}", "192.0.2.7", "192.0.2.7:1", "[2001:db8::7]:1", "2001:db8::7:{}", "192.0.2:{}"):
            assert server.request("GET", "/", headers={"Host": host.format(server.port)})[0] == 421, host
        _, _, errors = server.end()
    assert errors == (
        f"enumerate: anyone who can reach 0.0.0.0 port {server.port} may use this page: it asks for no password\n"
    )


@needs_web
@pytest.mark.parametrize("host", ["192.0.2.7", "no.such.host.invalid", "x" * 300])
def test_an_address_of_another_machine_is_refused(ask: Run, host: str) -> None:
    done = ask("--serve", "0", "--host", host)
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        f"enumerate: {host!r} is not an address of this machine\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--serve", "65536"], "'65536' is not a port, a number from 0 to 65535"),
        (["--serve", "x"], "'x' is not a port"),
        (["--serve", "-1"], "'-1' is not a port"),
        (
            ["--serve", "boards/1c.txt"],
            "'boards/1c.txt' is not a port, a number from 0 to 65535 (a board stands before",
        ),
        (["--serve=0", PUZZLE, "boards/1c.txt"], "--serve opens with one board, not with 2"),
        ([f"{PUZZLE}\n{PUZZLE}", "--serve", "0"], "--serve opens with one board: <argument>:2 is another"),
        (["53X" + PUZZLE[3:], "--serve", "0"], "'X' is no digit"),
        (["no/such/file", "--serve", "0"], "no/such/file: No such file"),
        (["/dev/null", "--serve", "0"], "/dev/null: "),
        (["--serve", "--shape", "3x2"], "--shape goes with a board"),
        (["--serve", "--allow-host", "http://a.example"], "--allow-host: 'http://a.example' is not NAME or NAME:PORT"),
        (["--serve", "--allow-host", "*"], "--allow-host: '*' is not NAME or NAME:PORT"),
        (["--serve", "--allow-host", "a.example:65536"], "is not NAME or NAME:PORT"),
        ([PUZZLE, "--allow-host", "a.example"], "--allow-host goes with --serve"),
        (["--serve", "--json"], "--json does not go with --serve"),
        (["--serve", "--quiet"], "--quiet does not go with --serve"),
        (["--serve", "--engine", "search"], "--engine does not go with --serve"),
        (["--serve", "--classify"], "not allowed with argument --serve"),
        (["--serve", "--checkpoint", "x"], "--checkpoint does not go with --serve"),
        ([PUZZLE, "--host", "0.0.0.0"], "--host goes with --serve"),
    ],
)
def test_options_that_do_not_go_with_it_are_refused(ask: Run, arguments: list[str], message: str) -> None:
    done = ask(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_without_the_extra_one_sentence_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['{}'] = None\n"
        "from enumerator.command.main import main; sys.exit(main(['--serve', '0']))"
    )
    sentence = "enumerate: the page needs Starlette and uvicorn: pip install 'enumerator[web]'\n"
    for name in ("uvicorn", "starlette"):
        assert run_page(program=program.format(name)) == (2, "", sentence)


@pytest.mark.slow
@needs_web
def test_the_page_opens_with_a_board() -> None:
    board = en.read(ROOT / "boards" / "6x6-many.txt")
    turned = str(en.Board(str(board), "3x2").link("fpuzzles"))
    marked = en.Board("12 3 4 1\n34 1 2 34\n1 2 3 4\n1234 1234 1234 1234")
    for arguments, fragment in (
        (["boards/6x6-many.txt", "--serve", "0", "--shape", "3x2"], f"3x2/{board}"),
        ([turned, "--serve", "0"], f"3x2/{board}"),
        ([str(marked), "--serve", "0", "--shape", "2x2"], f"2x2/{marked}"),
    ):
        with served(*arguments) as server:
            assert server.said == f"serving {server.address}#{fragment} (Ctrl-C ends it)\n"
            assert server.end()[2] == ""


# ------------------------------------------------------------------------------------------------ behind a proxy

PROXY = ["--allow-host", "sudoku.example", "--allow-host", "Other.example:8443"]


@pytest.mark.slow
@needs_web
def test_names_that_are_allowed_are_answered_with_a_warning() -> None:
    with served("--serve", "0", *PROXY) as server:

        def ask(host: str, **headers: str) -> int:
            host = host.format(server.port)
            return int(server.post("classify", json.dumps({"board": PUZZLE}), Host=host, **headers)[0])

        for host in ("sudoku.example", "SUDOKU.example:443", "sudoku.example:{}", "other.example:8443"):
            for scheme in ("http", "https"):
                assert ask(host, Origin=f"{scheme}://{host.format(server.port)}", Sec_Fetch_Site="same-origin") == 200
            assert ask(host, Origin="https://evil.example") == 403
            assert ask(host, Origin=f"https://{host}", Sec_Fetch_Site="cross-site") == 403
        assert ask("127.0.0.1:{}") == 200, "the names of this machine stay"
        refused = [
            "evil.example",
            "evil.example:{}",
            "other.example",
            "other.example:{}",
            "127.0.0.1",
            "127.0.0.1:8443",
        ]
        refused += [
            "x.sudoku.example",
            "sudoku.example.evil.example",
            "sudoku.example.",
            "sudoku.example:x",
            "192.0.2.7:{}",
        ]
        for host in refused:
            assert ask(host) == 421, "a name that points here (DNS rebinding), or another port"
        assert ask("127.0.0.1:{}", Origin="https://sudoku.example") == 403, "Origin and Host are of one name"
        assert ask("127.0.0.1:{}", Origin=f"https://127.0.0.1:{server.port}") == 403
        assert server.end()[2] == (
            "enumerate: anyone who can reach sudoku.example or other.example:8443 may use this page:"
            " it asks for no password\n"
        )


# ------------------------------------------------------------------------------------------------ the browser


@pytest.mark.slow
@needs_web
def test_the_address_is_opened_in_the_browser(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    with served(BROWSER=str(browser)) as server:
        assert wait_for(opened.exists)
        assert opened.read_text() == f"{server.address}\n"
        assert server.end()[2] == ""
    opened.unlink()
    with served(PUZZLE, "--serve", "0", BROWSER=str(browser)) as server:
        assert wait_for(opened.exists)
        assert opened.read_text() == f"{server.address}#3x3/{PUZZLE}\n"


@pytest.mark.slow
@needs_web
@pytest.mark.parametrize("browser", slow_after(1, ["", "/no/such/browser"]))
def test_a_browser_that_cannot_be_opened_is_one_message(browser: str, tmp_path: Path) -> None:
    with served(BROWSER=browser, PATH=str(tmp_path)) as server:
        assert server.process.stderr
        message = server.process.stderr.readline()
        assert message == f"enumerate: no browser could be opened: open {server.address} in one\n"
        assert server.request("GET", "/")[0] == 200
        assert server.end()[2] == ""


@pytest.mark.slow
@needs_web
def test_a_browser_that_does_not_return_does_not_hold_up_the_server(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\nexec sleep 30\n")
    browser.chmod(0o755)
    with served(BROWSER=str(browser)) as server:
        assert wait_for(lambda: bool(server.children))
        sleeping = server.children
        assert server.request("GET", "/")[0] == 200
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(2) == 0
        for pid in sleeping:  # the browser is the user's: it stays
            os.kill(pid, signal.SIGKILL)
