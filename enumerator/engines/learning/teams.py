"""The teams of this process: walks over the parts of a board that keep and exchange what they learn.

A task is a function and bytes, so that it can be sent to another process. There it finds the team of
its board by the cells of the board. The teams of the last few boards are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array

    from enumerator.engines.learning.kernel import Learning, Team

MOST_TEAMS = 2
"""The number of teams that are kept. Each has some megabytes of clauses for each core."""

_teams: dict[tuple[bytes, int, int, bytes], Team] = {}
"""The teams by the board: cells, height and width of boxes, pencil marks. The last one is the newest."""


def found_team(board: bytes, height: int, width: int, allowed: array[int] | None = None) -> Team:
    """Return a new team for a board. It knows nothing of an earlier count of the same board."""
    from enumerator.engines.learning.kernel import Team

    team = Team(board, height, width, allowed)
    key = (board, height, width, allowed.tobytes() if allowed else b"")
    _teams.pop(key, None)
    _teams[key] = team
    for old in list(_teams)[:-MOST_TEAMS]:  # each of these steps is safe in threads
        _teams.pop(old, None)
    return team


def start_part(board: bytes, cells: bytes, height: int, width: int, allowed: array[int] | None = None) -> Learning:
    """Start a walk over a part of a board by the team of the board."""
    team = _teams.get((board, height, width, allowed.tobytes() if allowed else b""))
    return (team or found_team(board, height, width, allowed)).start(cells)
