"""The page: a board in the browser, with exact answers as it is edited.

The page is a face of `enumerator.questions`, as the command is. It has no logic of its own. It runs on
this machine and is for its user: the server listens on 127.0.0.1, asks the questions in threads of
its own process, and writes no file.

    server.py       the socket, uvicorn in a thread, the browser, Ctrl-C
    hosts.py        the names of the server: which header Host is its own, which one is allowed
    connections.py  the connections: how many, and how long an idle one stays
    guard.py        who may ask: Host, Origin, Sec-Fetch-Site, type and size; headers of every answer
    app.py          the routes: the files of static/, and a route for each question
    requests.py     the JSON of a request to a board and arguments
    answers.py      the table of questions: from a request to the answer as a dictionary
    streams.py      a question at work in a thread, and the lines that tell about it
    static/         the page itself: HTML, CSS and ES modules, without a build step

The protocol. A question is `POST /api/NAME` with a JSON object:

    board     the text of a board, in any format that is read; up to 64 KB with everything else, read for 0.5 s at most
    shape     "3x3", where the text does not tell
    seconds   the time limit, 60 at most and by default
    n         of /api/nth: the number of a solution, a string of digits; counted from 1, as people do (--nth: from 0)
    number    of /api/sample: how many, 1 to 1,000
    seed      of /api/sample, /api/minimal and /api/generate: an integer; the same one gives the same answer
    site      of /api/link: a site that links are written for, "sudokupad"

`/api/generate` takes no board, but `shape`, `number` (1 to 100), `clues`, `symmetry` and `level`, as --generate does.

The answer has a line of JSON for each event. Large integers are strings. `kind` is one of:

    progress    share, solutions, stage, effort, unit, rate, seconds: at most ten lines a second
    heartbeat   nothing else was told for two seconds
    answer      `answer` is the dictionary of the answer; the last line
    stopped     `message` says why there is no complete answer, `answer` is what is known or null; the last line
    error       `code` and `message`; the last line

A request that cannot be answered at all is refused by one object of the kind `error` with a status of 400 or more.
The codes are `request`, `board`, `busy`, `none`, `multiple`, `no such solution` and `internal`.

Closing the connection stops the question within a second. Two heavy questions are at work at a time; others
are told `busy`. Verdicts are always given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from enumerator.board import Board
    from enumerator.board.coerce import BoardLike, ShapeLike

DEFAULT_PORT = 8642
"""The port of the page, unless the caller says otherwise. No registered service uses it."""

DEFAULT_HOST = "127.0.0.1"
"""The address of the page: this machine alone."""


class Settings(NamedTuple):
    """How the page is served: see `serve`."""

    port: int
    host: str = DEFAULT_HOST
    cores: int | None = None
    open_browser: bool = True
    board: Board | None = None
    allow_hosts: Iterable[str] = ()


def serve(
    board: BoardLike | None = None,
    *,
    shape: ShapeLike | None = None,
    port: int = DEFAULT_PORT,
    host: str = DEFAULT_HOST,
    cores: int | None = None,
    open_browser: bool = True,
    allow_hosts: Iterable[str] = (),
) -> None:
    """Serve the page in the browser, until Ctrl-C.

    >>> en.serve("1... ..2. .3.. ...4", port=8080)  # doctest: +SKIP

    The page opens with `board`, anything that is a board, or with an empty one. `port` 0 is any that is
    free. The address is printed and, with `open_browser`, opened. An answer uses at most `cores` cores
    (None: all). Needs the extra `web`: pip install 'enumerator[web]'.

    A `host` other than 127.0.0.1 lets other machines ask, and a warning says so. Behind a proxy, which must
    pass on the header Host, `allow_hosts` are the names under which browsers reach the page: "sudoku.example"
    with any port, "sudoku.example:8443" with that one.

    Raise ImportError without the extra, OSError if the address cannot be used, and TypeError or ValueError
    if an argument is not what it should be. Warnings are printed to standard error.
    """
    import sys
    from functools import partial

    from enumerator.board.coerce import as_board

    if isinstance(board, int):
        raise TypeError(f"a board is not a number: the port is port={board}")
    first = None if board is None else as_board(board, shape)
    names = [allow_hosts] if isinstance(allow_hosts, str) else allow_hosts
    settings = Settings(port, host, cores, open_browser, first, names)
    load_server()(settings, partial(print, flush=True), partial(print, file=sys.stderr, flush=True))


def load_server() -> Callable[..., bool]:
    """Return the function that serves the page. Raise ImportError if the extra is missing."""
    try:
        from enumerator.page.server import serve_page
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "h11", "click"):
            raise
        raise ImportError("the page needs Starlette and uvicorn: pip install 'enumerator[web]'") from None
    return serve_page
