"""The page in a browser: a server in a process of its own, and Chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""The names of the browser as a command, in the order in which they are tried."""

LIGHT = ["--disable-gpu", "--disable-extensions", "--disable-component-extensions-with-background-pages"]
"""Options of the browser: nothing that the page does not use."""

SERVE = "import enumerator; enumerator.serve(port=0, cores=1, open_browser=False)"
"""The server of a browser test: on one core, since the browser needs the others."""


def find_browser() -> str | None:
    """Return the path of the browser: ENUMERATOR_BROWSER, or a command; None if there is none."""
    return os.environ.get("ENUMERATOR_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright, *options: str) -> Browser:
    """Start the browser, with more options. Chromium has no sandbox for root."""
    arguments = [*LIGHT, *options, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return playwright.chromium.launch(executable_path=find_browser(), args=arguments)


@contextmanager
def serving() -> Iterator[str]:
    """Serve the page on a free port in a process of its own; yield its address."""
    with subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            line = process.stdout.readline()
            if not (found := re.search(r"http://\S+/", line)):
                raise RuntimeError(f"the server does not name its address: {line!r}")
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)
