"""What keeps people from using the page as it is shown: faults that axe finds, and pale texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from support.browsing import Tab

CONTRASTS = """() => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
        const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const [r, g, b] = numbers(colour).map((v) => linear(v / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            if (getComputedStyle(at).opacity !== '1') throw new Error(`${at.id || at.className} is transparent`);
        }
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            const alpha = numbers(colour)[3] ?? 1;
            if (alpha === 1) return colour;
            if (alpha > 0) throw new Error(`a ground that is not opaque: ${colour}`);
        }
        return 'rgb(255, 255, 255)';
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || !element.checkVisibility()) continue;
        const [high, low] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
        found.push([(high + 0.05) / (low + 0.05), `${node.data.trim()} in ${element.className || element.tagName}`]);
    }
    for (const control of document.querySelectorAll('input, select, textarea')) {
        if (!control.checkVisibility()) continue;
        const [high, low] = [light(getComputedStyle(control).color), light(ground(control))].sort((a, b) => b - a);
        found.push([(high + 0.05) / (low + 0.05), `${control.tagName} ${control.id}`]);
    }
    return found;
}"""
"""The contrast of every text that is shown (WCAG 2), and of what is typed or chosen."""


CONTRAST = "color-contrast"
"""The rule of axe that takes four fifths of its time, and that `pale` applies to every text, too."""

LIKE_OTHERS = [["#grid tr:nth-child(n+3) td"], ["#grid td:nth-child(n+5)"]]
"""Cells beyond eight: axe measures no contrast in them. It sees more than texts, but no more in these."""


def violations(tab: Tab) -> list[str]:
    """Return what axe finds on the page as it is shown."""
    found = run_axe(tab, "document", {"rules": {CONTRAST: {"enabled": False}}})
    return found + run_axe(tab, f"{{ exclude: {LIKE_OTHERS} }}", {"runOnly": [CONTRAST]})


def run_axe(tab: Tab, context: str, options: dict[str, Any]) -> list[str]:
    """Return what axe finds in a part of the page."""
    from axe_playwright_python.base import AXE_SCRIPT

    if not tab.evaluate("() => 'axe' in window"):
        tab.evaluate(AXE_SCRIPT)
    script = f"(options) => axe.run({context}, options)"
    found: dict[str, Any] = tab.evaluate(script, {"resultTypes": ["violations"], **options})
    return [f"{rule['id']}: {node['html']}" for rule in found["violations"] for node in rule["nodes"]]


def barriers(tab: Tab) -> list[str]:
    """Return what axe finds in light, and pale texts in light and in dark: colours are all that differs."""
    found = violations(tab) + pale(tab)
    tab.page.emulate_media(color_scheme="dark")
    found += pale(tab)
    tab.page.emulate_media(color_scheme="light")
    return found


def pale(tab: Tab) -> list[str]:
    """Return the texts whose contrast to their ground is too low."""
    contrasts = tab.evaluate(CONTRASTS)
    assert contrasts
    return [text for contrast, text in contrasts if contrast < 4.5]
