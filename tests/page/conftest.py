"""One server and one browser for all tests of a worker; a fresh tab for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Tab, launch, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

MakeTab = Callable[..., Tab]


@pytest.fixture(scope="session")
def page_address() -> Iterator[str]:
    with serving() as (address, _):
        yield address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = launch(playwright)
    yield started
    started.close()


@pytest.fixture
def make_tab(browser: Browser, page_address: str) -> Iterator[MakeTab]:
    """Make tabs: each has a context of its own, with the options of Playwright's `new_context`."""
    tabs: list[Tab] = []

    def make(**options: Any) -> Tab:
        wide = {"viewport": {"width": 1280, "height": 900}, "permissions": ["clipboard-read", "clipboard-write"]}
        tabs.append(Tab(browser.new_context(**{**wide, **options}), page_address))
        return tabs[-1]

    yield make
    for tab in tabs:
        tab.context.close()
        assert tab.errors == []
        assert [url for url in tab.requests if not url.startswith(page_address)] == [], "no foreign request"


@pytest.fixture
def tab(make_tab: MakeTab) -> Tab:
    return make_tab()
