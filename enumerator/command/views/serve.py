"""The view of --serve: the page in the browser, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from enumerator.command import console
from enumerator.command.arguments import port_number
from enumerator.command.console import ANSWERED, UNUSABLE, complain
from enumerator.command.views import View, option

if TYPE_CHECKING:
    from enumerator.command.request import Request

DEFAULT_PORT = 8642
"""The port of the page: that of `enumerator.serve`."""


class ServeView(View[Any]):
    """A server on this machine.

    Ctrl-C is the way to end it, so that the exit status is 0 then.
    """

    arguments = option(
        nargs="?",
        const=DEFAULT_PORT,
        type=port_number,
        metavar="PORT",
        help=f"open a page in the browser, until Ctrl-C; 0 is any free port (default: {DEFAULT_PORT})",
    )
    own_options: ClassVar[dict[str, dict[str, Any]]] = {
        "--host": option(metavar="ADDR", help="the address for --serve (default: 127.0.0.1, this machine only)")
    }
    subject = ""

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        if options.boards:
            yield "--serve takes no board: enter it on the page"
        if options.json:
            yield "--json does not go with --serve"

    def answer(self, request: Request) -> int:
        page = import_module("enumerator.page")  # by name: the command does not depend on it
        options = request.options
        try:
            serve_page = page.load_server()
            host = page.DEFAULT_HOST if options.host is None else options.host
            is_over = serve_page(options.serve, host, options.cores, True, self._say, complain)
        except (ImportError, OSError) as error:
            complain(str(error))
            return UNUSABLE
        if not is_over:  # Python would wait for the thread of a question that does not stop
            os._exit(ANSWERED)
        return ANSWERED

    def _say(self, line: str) -> None:
        console.write_line(line)
        console.flush()


VIEW = ServeView()
