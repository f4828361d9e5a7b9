/* Copying: the board as text, as an SVG picture, its canonical form, as a link to this page or to another site. */

import { fill, make } from "./dom.js";
import { sentence } from "./numbers.js";

/* The sites that links are written for, by the server's name. */
const SITES = { sudokupad: "SudokuPad", fpuzzles: "f-puzzles", sudokuwiki: "SudokuWiki" };

export function makeCopy(page) {
  const on = (id, listener) => document.getElementById(id).addEventListener("click", listener);

  /* Copy a text. A browser that refuses shows it instead, to be copied by hand. */
  page.copy = async (text, message) => {
    try {
      await navigator.clipboard.writeText(text);
      page.say(message);
    } catch {
      showText(text); // no permission, or an address that is not secure
    }
  };

  on("copy-text", () => page.copy(page.board.text, "The board is copied as text."));
  on("copy-link", () => page.copy(page.address.link(), "A link to the board on this page is copied."));
  on("copy-svg", () => copyAnswer(ask("picture"), "svg", "The board is copied as an SVG picture."));
  on("copy-form", () => copyAnswer(page.form.last, "form", "The canonical form is copied."));
  for (const [site, title] of Object.entries(SITES)) {
    on(`copy-${site}`, () => copyAnswer(ask("link", { site }), "link", `A link to the board on ${title} is copied.`));
  }

  function ask(name, options) {
    return page.ask(name, { slot: "copy", ...options });
  }

  /* Copy a field of an answer, when it comes. */
  async function copyAnswer(answer, field, message) {
    const last = await answer;
    if (last?.answer) page.copy(last.answer[field], message);
    else if (last) page.say(sentence(last.message), true);
  }
}

function showText(text) {
  const area = make("textarea", { rows: 10, readonly: true, "aria-label": "Text to copy" });
  area.value = text;
  const close = make("button", { text: "Close" });
  const title = make("h2", { text: "Copy this text" });
  const dialog = make("dialog", { "aria-label": "Copy this text" });
  fill(dialog, make("form", { method: "dialog" }, title, area, make("div", { class: "tools" }, close)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  area.select();
}
