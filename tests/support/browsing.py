"""The page in a real browser: a server of its own, Chromium, and a tab that waits for states.

The fixtures are known to all tests: conftest.py names this module as a plugin. One server and one browser
serve all tests of a worker.

Tests share a page that is loaded once, since loading it costs ten times as much as opening a board in it by the
address. A page that a test has changed in another way than its user can is loaded again.

A tab never waits for a time. The page marks what it shows with the board that it is about (`data-board`)
and a state (`data-state`), and a tab waits until both are as expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from support.boards import BOARDS

from bench.common.browser import find_browser, launch, serving
from enumerator.board import Board

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Error, Page, Playwright, Request, ViewportSize

MISSING = [name for name in ("starlette", "uvicorn", "playwright", "axe_playwright_python") if find_spec(name) is None]

needs_browser = pytest.mark.skipif(
    bool(MISSING) or find_browser() is None,
    reason=f"not installed: {', '.join(MISSING)}" if MISSING else "no Chromium: set ENUMERATOR_BROWSER",
)

WIDE: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 900},
    "permissions": ["clipboard-read", "clipboard-write"],
}
"""The options of a tab, unless a test says otherwise."""

PATIENCE = 60_000
"""The longest wait for a state, in milliseconds: the machine may be busy."""

EMULATED = {"viewport", "color_scheme", "reduced_motion"}
"""The options that the shared page can take on."""

FOREIGN = "foreign.example"
"""A name of another site. The browser takes it for this machine, as after DNS rebinding."""

REST = "#2x2/1234341221434321"
"""The address of the shared page between two tests: a solution, so that nothing is at work."""

STILL = "page.css"
"""A file of the page in which nothing is at work. At about:blank, the browser would start another process: 0.3 s."""

OPEN = """(fragment) => new Promise((done) => {
    addEventListener('hashchange', () => setTimeout(done), { once: true });  // after the page's own
    location.hash = fragment;
})"""
"""Open a board by the address alone."""

TIDY = """(fragment) => new Promise((done) => {
    const { dataset } = document.documentElement;
    const isChanged = Object.keys(window).length > Number(dataset.names);
    if (!dataset.ready || isChanged || document.querySelector('textarea').value) return done(false);
    document.querySelector('dialog').close();
    document.querySelector('#tab-board').click();
    addEventListener('hashchange', () => setTimeout(() => {
        document.querySelector('#grid td').focus();
        done(true);
    }), { once: true });
    location.hash = fragment;
})"""
"""Make the page as it was loaded, but for its history. False: it has other scripts, or keeps a text."""


def our_board(name: str) -> Board:
    """Return a board of boards/."""
    return Board((BOARDS / f"{name}.txt").read_text())


def fragment(board: Board) -> str:
    return f"#{board.shape}/{board}"


class Tab:
    """A tab with the page. Errors of its scripts and refused requests fail the test at its end."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.is_loaded = page.url.partition("#")[0] == address
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", self._note_error)
        page.on("request", self._note_request)

    def _note_error(self, error: Error) -> None:
        self.errors.append(str(error))

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def forget(self) -> None:
        """Listen no more."""
        self.page.remove_listener("pageerror", self._note_error)
        self.page.remove_listener("request", self._note_request)

    def open(self, board: Board | str | None = None) -> Tab:
        """Open a board or a fragment: by the address alone, if the page is loaded."""
        named = fragment(board) if isinstance(board, Board) else board or ""
        if not named or not self.is_loaded:
            return self.load(named)
        self.evaluate(OPEN, named)
        if isinstance(board, Board):
            self.wait_until("t => document.querySelector('#verdict').dataset.board === t", str(board))
        return self

    def load(self, named: str = "") -> Tab:
        """Load the page with a fragment."""
        if self.page.url.startswith(self.address):
            self.evaluate("(fragment) => history.replaceState(null, '', `/${fragment}`)", named)
            self.page.reload()
        else:
            self.page.goto(self.address + named)
        self.wait("html[data-ready]")
        self.evaluate("() => { document.documentElement.dataset.names = Object.keys(window).length }")
        self.is_loaded = True
        return self

    def wait(self, selector: str) -> None:
        self.page.wait_for_selector(selector, state="attached")

    def wait_until(self, script: str, argument: object = None) -> None:
        self.page.wait_for_function(script, arg=argument)

    @property
    def board(self) -> str:
        """The text of the board in the cells: its clues."""
        script = "() => [...document.querySelectorAll('#grid td')].map(c => c.matches('.clue') ? c.textContent : '.')"
        return "".join(self.page.evaluate(script))

    @property
    def shown(self) -> str:
        """The symbols in the cells, clues or not; `.` for a cell without one."""
        script = (
            "() => [...document.querySelectorAll('#grid td')].map(c => c.querySelector('.digit')?.textContent ?? '.')"
        )
        return "".join(self.page.evaluate(script))

    def verdict(self, text: str) -> str:
        """Wait for the verdict on the board with this text, and return it."""
        self.wait_until("t => { const d = document.querySelector('#verdict').dataset;"
                        " return d.board === t && !['pending', 'deciding'].includes(d.state) }", text)  # fmt: skip
        return self.state("#verdict")

    def count(self, text: str) -> str:
        """Wait until the solutions of the board with this text are counted, and return their number."""
        self.wait_until("t => { const d = document.querySelector('#count').dataset;"
                        " return d.board === t && d.state === 'done' }", text)  # fmt: skip
        if self.state("#verdict") == "none":
            return "0"
        return self.page.get_attribute("#count .number", "data-value") or ""

    def state(self, selector: str) -> str:
        return self.page.get_attribute(selector, "data-state") or ""

    def view(self, name: str, state: str | None = None) -> None:
        """Open a view, and wait until it is in a state."""
        self.page.click(f"#tab-{name}")
        if state:
            self.wait(f"#panel-{name} > div[data-state='{state}']")

    def select(self, cell: int) -> None:
        self.page.click(f"#grid td[data-cell='{cell}']", position={"x": 3, "y": 3})

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def paste(self, text: str) -> None:
        """Paste a text with the clipboard and the keyboard."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.press("Control+v")

    def clipboard(self) -> str:
        return str(self.page.evaluate("() => navigator.clipboard.readText()"))

    def message(self, text: str) -> None:
        """Wait for a message that contains a text."""
        self.wait_until("t => document.querySelector('#message').textContent.includes(t)", text)

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def evaluate(self, script: str, argument: object = None) -> Any:
        return self.page.evaluate(script, argument)


MakeTab: TypeAlias = Callable[..., Tab]
"""A function that makes a tab, with options of Playwright's `new_context`; if not only EMULATED, in its own context."""


@pytest.fixture(scope="session")
def page_address() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    from playwright.sync_api import Error

    started = launch(playwright, f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1")
    yield started
    with suppress(Error):  # a signal to the suite and all that it has started has ended it
        started.close()


class Window:
    """The window of tabs without options of their own. Its first page is used again."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self.context = browser, browser.new_context(**WIDE)
        self.spare: Page | None = None

    def take(self) -> Page:
        page, self.spare = self.spare, None
        return self.context.new_page() if page is None or page.is_closed() else page

    def give_back(self, page: Page, address: str, *, was_loaded_as_usual: bool) -> None:
        """Keep a page, without what a test has changed; or close it if there is one already."""
        if page.is_closed():
            return
        if self.spare:
            page.close()
            return
        if page.evaluate("() => '__pwClock' in window"):  # a clock of Playwright stays with its context
            self.context.close()
            self.context = self.browser.new_context(**WIDE)
            return
        page.unroute_all()
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        page.set_viewport_size(WIDE["viewport"])
        if not (was_loaded_as_usual and page.evaluate(TIDY, REST)):
            page.goto(address + STILL)
        self.spare = page


@pytest.fixture(scope="session")
def window(browser: Browser) -> Window:
    return Window(browser)


@pytest.fixture
def make_tab(browser: Browser, window: Window, page_address: str) -> Iterator[MakeTab]:
    tabs: list[Tab] = []
    own: list[Tab] = []
    odd: list[Tab] = []

    def make(**options: Any) -> Tab:
        if options.keys() <= EMULATED:
            tab = Tab(window.take(), page_address)
            if options:
                emulate(tab, **options)
                odd.append(tab)
        else:
            tab = Tab(browser.new_context(**{**WIDE, **options}).new_page(), page_address)
            own.append(tab)
        tabs.append(tab)
        return tab

    yield make
    for tab in tabs:
        with suppressed_where_closed():
            tab.forget()
            if tab in own:
                tab.page.context.close()
            else:
                window.give_back(tab.page, page_address, was_loaded_as_usual=tab not in odd)
        assert tab.errors == []
        assert [url for url in tab.requests if not url.startswith(page_address)] == [], "no foreign request"


@contextmanager
def suppressed_where_closed() -> Iterator[None]:
    """Suppress that the browser is gone: a signal has ended it with the suite, or its next test fails."""
    from playwright.sync_api import Error

    try:
        yield
    except Error as error:
        if "has been closed" not in str(error):
            raise


def emulate(tab: Tab, viewport: ViewportSize | None = None, **media: Any) -> None:
    """Give a tab another size or other preferences; it loads the page with them."""
    tab.page.set_viewport_size(viewport or WIDE["viewport"])
    tab.page.emulate_media(**media)
    tab.is_loaded = False


@pytest.fixture
def tab(make_tab: MakeTab) -> Tab:
    return make_tab()
