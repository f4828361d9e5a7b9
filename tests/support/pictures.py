"""Colours of pictures, as tests measure them."""

from __future__ import annotations

from collections.abc import Iterable


def luminance(colour: Iterable[int]) -> float:
    """Return the relative luminance of a colour (WCAG 2): 0 for black, 1 for white."""
    parts = (part / 255 for part in colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
