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
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request

DEFAULT_PORT = 8642
"""The port of the page: that of `enumerator.serve`."""


class ServeView(View[Any]):
    """A server on this machine. Ctrl-C is the way to end it, so that the exit status is 0 then."""

    group = "runs"
    arguments = option(
        nargs="?",
        const=DEFAULT_PORT,
        type=port_number,
        metavar="PORT",
        help=f"open a page in the browser, with BOARD if one is given, until Ctrl-C; 0 is any free port "
        f"(default: {DEFAULT_PORT})",
    )
    own_options: ClassVar[dict[str, dict[str, Any]]] = {
        "--host": option(metavar="ADDR", help="the address for --serve (default: 127.0.0.1, this machine only)"),
        "--allow-host": option(
            action="append",
            metavar="NAME",
            help="a name under which a proxy serves the page of --serve: NAME with any port, or NAME:PORT; repeatable",
        ),
    }
    subject = ""

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        if len(options.boards) > 1:
            yield f"--serve opens with one board, not with {len(options.boards)}"
        if options.shape and not options.boards:
            yield "--shape goes with a board: choose the size of an empty one on the page"
        if options.json:
            yield "--json does not go with --serve"
        try:
            for name in options.allow_host or ():
                import_module("enumerator.page.hosts").check_allowed(name)
        except ValueError as error:
            yield f"--allow-host: {error}"

    def answer(self, request: Request) -> int:
        page = import_module("enumerator.page")  # by name: the command does not depend on it
        options = request.options
        host = page.DEFAULT_HOST if options.host is None else options.host
        try:
            serve_page = page.load_server()
            board = read_board(request) if options.boards else None
            settings = page.Settings(options.serve, host, options.cores, True, board, options.allow_host or ())
            is_over = serve_page(settings, self._say, complain)
        except (UnusableBoardError, ImportError, OSError) as error:
            complain(str(error))
            return UNUSABLE
        if not is_over:  # Python would wait for the thread of a question that does not stop
            os._exit(ANSWERED)
        return ANSWERED

    def _say(self, line: str) -> None:
        console.write_line(line)
        console.flush()


class UnusableBoardError(Exception):
    """There is no board to open the page with, or more than one. The message says so."""


def read_board(request: Request) -> Board:
    """Return the one board of the command. Raise UnusableBoardError if it is none, or not one."""
    from itertools import islice

    from enumerator.command.inputs import closing_reader, split_files
    from enumerator.questions.chunks import ChunkReader

    with closing_reader(split_files(request)) as chunks:
        boards = (named for named, _ in ChunkReader(chunks).boards())
        first, second = [*islice(boards, 2), None, None][:2]
    if first is None:
        raise UnusableBoardError(f"{printable(request.options.boards[0])}: no board in it")
    if first.board is None:
        raise UnusableBoardError(first.error)
    if second is not None:
        raise UnusableBoardError(f"--serve opens with one board: {printable(second.source)} is another")
    return first.board


VIEW = ServeView()
