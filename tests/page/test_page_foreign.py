"""Other sites in the user's browser: they reach the server, and are refused."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from support.browsing import FOREIGN, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

pytestmark = [needs_browser, pytest.mark.slow]

SEND = """
async ([url, mode, type]) => {
  const options = { method: "POST", mode, headers: { "Content-Type": type }, body: '{"board": "1234"}' };
  try { return (await fetch(url, options)).type } catch (error) { return error.name }
}
"""


class Blank(BaseHTTPRequestHandler):
    """An empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def foreign_page(browser: Browser) -> Iterator[Page]:
    """Open a page of another site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    thread = Thread(target=server.serve_forever)
    thread.start()
    page = browser.new_page()
    try:
        page.goto(f"http://{FOREIGN}:{server.server_port}/")
        yield page
    finally:
        page.close()
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_foreign_name_of_this_machine_is_refused(browser: Browser, page_address: str) -> None:
    page = browser.new_page()
    response = page.goto(f"http://{FOREIGN}:{urlsplit(page_address).port}/")
    assert response
    assert response.status == 421
    page.close()


@pytest.mark.parametrize(
    ("mode", "kind"), [("no-cors", "text/plain"), ("cors", "text/plain"), ("cors", "application/json")]
)
def test_another_site_gets_no_answer(foreign_page: Page, page_address: str, mode: str, kind: str) -> None:
    statuses: list[int] = []

    def note(response: Response) -> None:
        statuses.append(response.status)

    foreign_page.on("response", note)
    assert foreign_page.evaluate(SEND, [f"{page_address}api/count", mode, kind]) == "TypeError"
    foreign_page.remove_listener("response", note)
    assert set(statuses) <= {403}


def test_the_page_is_not_shown_in_a_frame(foreign_page: Page, page_address: str) -> None:
    with foreign_page.expect_response(page_address) as answered:
        foreign_page.evaluate(
            "url => { const frame = document.createElement('iframe'); frame.src = url; document.body.append(frame) }",
            page_address,
        )
    assert answered.value.status == 403
