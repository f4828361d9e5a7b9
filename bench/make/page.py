"""Make the picture of the page in the README: a board with its candidates, in Chromium."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from bench import RESULTS, ROOT
from bench.common.browser import find_browser, launch, serving
from enumerator.board.files import read

WIDTH, HEIGHT = 1120, 800
"""The size of the window in pixels: a board and the views beside it."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", nargs="?", default="boards/2b.txt", help="default: %(default)s")
    parser.add_argument("--output", default=str(RESULTS / "page.png"), help="default: %(default)s")
    parser.add_argument("--dark", action="store_true", help="in dark colours")


def run(options: argparse.Namespace) -> int:
    if find_spec("playwright") is None or find_browser() is None:
        print("bench: page-picture needs Playwright (pip install '.[test]') and Chromium", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    board = read(ROOT / options.board)
    with serving() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark" if options.dark else "light"
        )
        page.goto(f"{address}#{board.shape}/{board}")
        page.click("#tab-candidates")
        page.wait_for_selector("#panel-candidates > div[data-state='known']")
        page.click("#grid td[data-cell='1']", position={"x": 3, "y": 3})
        page.mouse.move(1, HEIGHT - 1)
        page.screenshot(path=options.output)
        browser.close()
    print(f"{options.output}: {Path(options.output).stat().st_size:,} bytes")
    return 0
