"""The safety of the page's server: who may ask, what may be sent, and what an answer says to the browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.boards import PUZZLE
from support.pages import JSON, Served, needs_web, served
from support.processes import PATIENCE

pytestmark = needs_web

QUESTION = json.dumps({"board": PUZZLE})


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server that must have written nothing when all tests are over."""
    with served() as server:
        yield server
        status, _, errors = server.end()
        assert (status, errors) == (0, "")


@pytest.fixture(autouse=True)
def goes_on(server: Served) -> Iterator[None]:
    """Check after each test that the server still answers."""
    yield
    assert server.answer("classify", PUZZLE)["verdict"] == "unique"


def head(server: Served, *lines: str) -> bytes:
    """Return the head of a raw request."""
    return "\r\n".join([*lines, f"Host: 127.0.0.1:{server.port}", "", ""]).encode()


# ------------------------------------------------------------------------------------------------ who may ask


@pytest.mark.parametrize("host", ["evil.example:{}", "127.0.0.1", "localhost:1", "evil.example", "", "127.0.0.1:{}."])
def test_another_host_name_is_refused(server: Served, host: str) -> None:
    for method, path in [("GET", "/"), ("POST", "/api/classify")]:
        headers = {**JSON, "Host": host.format(server.port)}
        status, _, body = server.request(method, path, QUESTION if method == "POST" else None, headers)
        assert (status, json.loads(body)["kind"]) == (421, "error")


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "LOCALHOST:{}"])
def test_the_names_of_this_machine_are_answered(server: Served, host: str) -> None:
    status, last = server.post("classify", QUESTION, Host=host.format(server.port))
    assert (status, last["kind"]) == (200, "answer")


def test_a_request_has_exactly_one_host(server: Served) -> None:
    for lines in (["GET / HTTP/1.1", "Host: evil.example"], ["GET / HTTP/1.0\r\nx: y"]):
        with server.open_socket(head(server, *lines)) as connection:
            status = int(connection.recv(4096).split()[1])
            assert status == (400 if "evil" in lines[-1] else 200)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{}", "http://127.0.0.1:1", "http://localhost:{}"]
)
def test_another_origin_is_refused(server: Served, origin: str) -> None:
    status, last = server.post("classify", QUESTION, Origin=origin.format(server.port))
    assert (status, last["code"]) == (403, "request")


def test_the_own_origin_is_answered(server: Served) -> None:
    own = f"http://127.0.0.1:{server.port}"
    assert server.post("classify", QUESTION, Origin=own, Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "nonsense"])
def test_a_question_of_another_site_is_refused(server: Served, site: str) -> None:
    assert server.post("classify", QUESTION, Sec_Fetch_Site=site)[0] == 403
    assert server.post("classify", QUESTION, Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate")[0] == 403


def test_a_link_of_another_site_opens_the_page_but_a_frame_or_script_does_not(server: Served) -> None:
    visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert server.request("GET", "/", headers=visit)[0] == 200
    assert server.request("GET", "/", headers={**visit, "Sec-Fetch-Dest": "iframe"})[0] == 403
    assert server.request("GET", "/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})[0] == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"])
def test_a_question_that_a_form_could_send_is_refused(server: Served, kind: str) -> None:
    assert server.post("classify", QUESTION, Content_Type=kind)[0] == 403


def test_nothing_allows_a_request_of_another_site(server: Served) -> None:
    asks = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    for headers in (asks, {**asks, "Origin": f"http://127.0.0.1:{server.port}"}):
        status, told, _ = server.request("OPTIONS", "/api/classify", headers=headers)
        assert status in (403, 405)
        assert not [name for name in told if name.startswith("access-control")]


# ------------------------------------------------------------------------------------------------ answers


def test_every_answer_forbids_foreign_content_frames_and_sniffing(server: Served) -> None:
    answers = [
        server.request("GET", "/"),
        server.request("HEAD", "/"),
        server.request("GET", "/nothing"),
        server.request("PUT", "/", "x", JSON),
        server.request("POST", "/api/classify", QUESTION, JSON),
        server.request("POST", "/api/count", QUESTION, JSON),
        server.request("POST", "/api/classify", "x", JSON),
        server.request("GET", "/", headers={"Host": "evil.example"}),
    ]
    assert [status for status, *_ in answers] == [200, 200, 404, 405, 200, 200, 400, 421]
    for _, headers, _ in answers:
        rules = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == rules["frame-ancestors"] == "'none'"
        assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/%2e%2e/server.py",
        "/..%2fserver.py",
        "//etc/passwd",
        "/static/",
        "/page.py",
        "/index.html/",
        "/%00",
    ],
)
def test_only_the_files_of_the_page_are_sent(server: Served, path: str) -> None:
    assert server.request("GET", path)[0] in (400, 404, 307)
    assert b"import" not in server.request("GET", path)[2]


@pytest.mark.parametrize("make", [str, "file://{}".format, "@{}".format])
def test_the_text_of_a_board_is_not_the_name_of_a_file(server: Served, tmp_path: Path, make: type[str]) -> None:
    (tmp_path / "board.txt").write_text(PUZZLE)
    before = sorted(tmp_path.iterdir())
    for name in ("read", "count", "classify"):
        last = server.ask(name, make(tmp_path / "board.txt"))
        assert (last["kind"], last["code"]) == ("error", "board")
        assert "file" not in last["message"].replace("file://", "")
    assert sorted(tmp_path.iterdir()) == before


# ------------------------------------------------------------------------------------------------ bodies


ODD = {
    "nothing": b"",
    "no JSON": b"{",
    "no object": b"[1]",
    "deep lists": b"[" * 30_000,
    "deep objects": b'{"board":' * 6_000 + b"1" + b"}" * 6_000,
    "not UTF-8": b'{"board": "\xff\xfe"}',
    "UTF-16": json.dumps({"board": PUZZLE}).encode("utf-16"),
    "a name twice": b'{"board": "1", "board": "2"}',
    "NaN": b'{"board": "1", "seconds": NaN}',
    "Infinity": b'{"board": "1", "seconds": -Infinity}',
    "a large float": b'{"board": "1", "seconds": 1e999}',
    "a long integer": b'{"board": "1", "n": ' + b"9" * 5_000 + b"}",
    "an unknown name": b'{"board": "1", "path": "/etc/passwd"}',
    "no board": b"{}",
    "a board that is no text": b'{"board": [1, 2]}',
    "a null": b'{"board": null}',
    "a board with a NUL": b'{"board": "\\u0000"}',
    "half a surrogate": b'{"board": "\\ud800"}',
    "markup": b'{"board": "<script>alert(1)</script>"}',
    "a shape that is none": b'{"board": "' + PUZZLE.encode() + b'", "shape": "9x9"}',
    "a shape that is no text": b'{"board": "' + PUZZLE.encode() + b'", "shape": 3}',
    "a control character": b'{"board": "\x01"}',
}


@pytest.mark.parametrize("name", ["read", "classify", "count"])
@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_odd_json_is_a_400_with_a_sentence(server: Served, name: str, body: bytes) -> None:
    status, last = server.post(name, body)
    assert (status, last["kind"]) == (400, "error")
    assert last["code"] in ("request", "board")
    assert len(last["message"]) > 5
    assert "Traceback" not in last["message"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("count", {"seconds": 0}),
        ("count", {"seconds": 61}),
        ("count", {"seconds": "1"}),
        ("count", {"seconds": True}),
        ("nth", {}),
        ("nth", {"n": "0"}),
        ("nth", {"n": "-1"}),
        ("nth", {"n": "1.5"}),
        ("nth", {"n": "9" * 2_000}),
        ("nth", {"n": "\u0661"}),
        ("sample", {"number": 0}),
        ("sample", {"number": 1_001}),
        ("sample", {"seed": "x"}),
        ("link", {"site": "x"}),
        ("link", {"site": ["sudokupad"]}),
        ("link", {}),
        ("sample", {"number": True}),
    ],
)
def test_a_wrong_argument_is_named(server: Served, name: str, arguments: dict[str, object]) -> None:
    last = server.ask(name, PUZZLE, **arguments)
    assert (last["kind"], last["code"]) == ("error", "request")
    assert last["message"].startswith(("seconds must", "n must", "number must", "seed must", "site must"))


def test_a_body_has_64_kilobytes_at_most(server: Served) -> None:
    for size, status in [(64 * 1024, 200), (64 * 1024 + 1, 413), (900_000, 413)]:
        body = QUESTION.encode().ljust(size)
        assert server.post("classify", body)[0] == status


def test_a_body_without_a_length_is_refused(server: Served) -> None:
    chunked = head(server, "POST /api/count HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked")
    with server.open_socket(chunked + b'5\r\n{"boa\r\n') as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 411 ")
    none = head(server, "POST /api/count HTTP/1.1", "Content-Type: application/json")
    with server.open_socket(none) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 411 ")


@pytest.mark.parametrize("length", ["x", "-1", "1 2", "9" * 30, "9" * 5_000])
def test_an_odd_length_is_refused(server: Served, length: str) -> None:
    asked = head(server, "POST /api/count HTTP/1.1", "Content-Type: application/json", f"Content-Length: {length}")
    with server.open_socket(asked) as connection:
        connection.settimeout(PATIENCE)
        assert connection.recv(100).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 "))


@pytest.mark.slow
def test_a_method_or_name_that_is_none_is_refused(server: Served) -> None:
    assert server.request("GET", "/api/count")[0] == 405
    assert server.request("DELETE", "/")[0] == 405
    assert server.post("nothing", QUESTION)[0] == 404
