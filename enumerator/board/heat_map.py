"""The colours of a heat map: in pictures, on a terminal, and on one with 16 colours."""

from __future__ import annotations

SCALE = (
    (229, 241, 255),
    (203, 220, 243),
    (176, 199, 229),
    (151, 178, 214),
    (126, 158, 200),
    (101, 138, 185),
    (76, 118, 171),
    (52, 98, 156),
    (24, 78, 141),
    (0, 59, 127),
)
"""The shades from rare to frequent: up to a tenth of the solutions, two tenths, … all of them.

Dark is frequent, on light and on dark pages. They have one hue, for colour-blind readers. Those of the page
(page/static/page.css) are the same, and tested to be."""

SIXTEEN = (
    (0.25, "black on white", "below 25 %"),
    (0.5, "black on cyan", "from 25 %"),
    (0.75, "bright_white on blue", "from 50 %"),
    (1.0, "bright_white on black", "from 75 %"),
)
"""The shades on a terminal of 16 colours: the share below which one is used, its style and its legend.

Dark is frequent, as in SCALE. Each is darker than the one before in every usual palette."""


def shade_of(count: int, total: int) -> tuple[int, int, int]:
    """Return the shade of a digit that is in `count` of `total` solutions; `count` is at least 1."""
    return SCALE[-(-len(SCALE) * count // total) - 1]


def is_bright(colour: tuple[int, int, int]) -> bool:
    """Return True if black text has more contrast to a colour than white text: at least 4.5 (WCAG 2)."""
    linear: list[float] = [((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179
