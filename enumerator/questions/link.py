"""The question for a link: a board as a link to a site on the web."""

from __future__ import annotations

from dataclasses import dataclass

from enumerator.board import Board


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """A link to a board."""

    board: Board
    site: str
    link: str

    def to_dict(self) -> dict[str, object]:
        return {"board": str(self.board), "site": self.site, "link": self.link}


def link(board: Board, site: str) -> LinkAnswer:
    """Return the link to a board on a site. Raise ValueError if the site has no such boards."""
    return LinkAnswer(board, site, board.link(site))
