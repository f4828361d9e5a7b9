"""LZ-string: the compression of puzzles in links.

The format is that of pieroxy's lz-string (https://github.com/pieroxy/lz-string, "base64"). It is
LZW with a growing code width:

    code 0, 1     a new character of 8 or 16 bits follows
    code 2        the end
    other codes   phrases: the characters in order of appearance, and each phrase plus one character

Values are written from their lowest bit on, six bits per base64 character. Characters are those of
JavaScript: UTF-16 code units. The package `lzstring` of the Python index does the same; it has no
limit on the size of its output, and had no release since 2018.
"""

from __future__ import annotations

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {symbol: f"{value:06b}" for value, symbol in enumerate(ALPHABET)}
_SYMBOLS = {bits: symbol for symbol, bits in _VALUES.items()}

_NEW_BYTE, _NEW_UNIT, _END = range(3)
_FIRST_CODE = 3


class DamagedError(ValueError):
    """A text that cannot be decompressed. The message says why."""


def compress(text: str) -> str:
    """Return a text as LZ-string in base64."""
    codes: dict[str, int] = {}
    unwritten: set[str] = set()
    """Characters that have a code, but were not written yet."""
    writer, phrase = _Writer(), ""
    for unit in _to_units(text):
        if unit not in codes:
            codes[unit] = len(codes) + _FIRST_CODE
            unwritten.add(unit)
        if phrase + unit in codes:
            phrase += unit
            continue
        writer.write(phrase, codes, unwritten)
        codes[phrase + unit] = len(codes) + _FIRST_CODE
        phrase = unit
    if phrase:
        writer.write(phrase, codes, unwritten)
    return writer.finish()


def decompress(packed: str, most_characters: int) -> str:
    """Return the text of LZ-string in base64.

    Raise DamagedError if it is damaged or truncated, or if the text is longer than
    `most_characters`.
    """
    reader = _Reader(packed)
    if (code := reader.read(2)) == _END:
        return ""
    previous = reader.read_unit(code)
    phrases, found, length = ["", "", "", previous], [previous], 1
    width, room = 3, 4
    """`room` is the number of phrases that can be added before codes get wider."""
    while (code := reader.read(width)) != _END:
        if code < _END:
            phrases.append(reader.read_unit(code))
            code = len(phrases) - 1
            room -= 1
            if not room:
                room, width = 1 << width, width + 1
        if code > len(phrases):
            raise DamagedError("it is damaged")
        phrase = phrases[code] if code < len(phrases) else previous + previous[0]
        found.append(phrase)
        length += len(phrase)
        if length > most_characters:
            raise DamagedError(f"it holds more than {most_characters:,} characters")
        phrases.append(previous + phrase[0])
        previous = phrase
        room -= 1
        if not room:
            room, width = 1 << width, width + 1
    return _from_units("".join(found))


class _Writer:
    """The bits of a compressed text."""

    def __init__(self) -> None:
        self._bits: list[str] = []
        self._width, self._room = 2, 2

    def write(self, phrase: str, codes: dict[str, int], unwritten: set[str]) -> None:
        """Write the code of a phrase; for a new character, the character itself."""
        if phrase in unwritten:
            unwritten.remove(phrase)
            is_byte = ord(phrase) < 256
            self._put(_NEW_BYTE if is_byte else _NEW_UNIT, self._width)
            self._put(ord(phrase), 8 if is_byte else 16)
            self._grow()
        else:
            self._put(codes[phrase], self._width)
        self._grow()

    def finish(self) -> str:
        """Write the end, and return everything in base64."""
        self._put(_END, self._width)
        bits = "".join(self._bits)
        bits += "0" * (6 - len(bits) % 6)  # never none: so does lz-string
        packed = "".join(_SYMBOLS[bits[start : start + 6]] for start in range(0, len(bits), 6))
        return packed + "=" * (-len(packed) % 4)

    def _put(self, value: int, width: int) -> None:
        self._bits.append(f"{value:0{width}b}"[::-1])

    def _grow(self) -> None:
        self._room -= 1
        if not self._room:
            self._room, self._width = 1 << self._width, self._width + 1


class _Reader:
    """The values of a compressed text, from front to back."""

    def __init__(self, packed: str) -> None:
        try:
            self._bits = "".join(map(_VALUES.__getitem__, packed.rstrip("=")))
        except KeyError as error:
            raise DamagedError(f"{error.args[0]!a} is no character of it") from None
        self._place = 0

    def read(self, width: int) -> int:
        bits = self._bits[self._place : self._place + width]
        if len(bits) < width:
            raise DamagedError("it is truncated")
        self._place += width
        return int(bits[::-1], 2)

    def read_unit(self, code: int) -> str:
        """Read a new character, after the code that announces it."""
        if code not in (_NEW_BYTE, _NEW_UNIT):
            raise DamagedError("it is damaged")
        return chr(self.read(8 if code == _NEW_BYTE else 16))


def _to_units(text: str) -> str:
    """Return a text with one character for each UTF-16 code unit."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[place] | data[place + 1] << 8) for place in range(0, len(data), 2))


def _from_units(units: str) -> str:
    """Return the text of UTF-16 code units. Unpaired surrogates are replaced."""
    if units.isascii():
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
