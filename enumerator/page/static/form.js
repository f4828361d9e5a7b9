/* The canonical form of the board, and the number of its automorphisms: a line under the board. */

import { fill, make } from "./dom.js";
import { numberElement, sentence } from "./numbers.js";

/* After this time in milliseconds, the form of the last board is taken away: most come sooner, without a flicker. */
const PATIENCE = 200;

export function makeForm(element, page) {
  const box = { last: null, find };
  let timer = 0;

  /* Look for the form. `last` is a promise of the answer: null if the board has changed since. */
  function find() {
    box.last = ask();
  }

  async function ask() {
    clearTimeout(timer);
    element.dataset.state = "pending";
    timer = setTimeout(() => fill(element, "Canonical form…"), PATIENCE);
    const { board } = page;
    const last = await page.ask("canonical");
    if (!last) return null;
    clearTimeout(timer);
    element.dataset.board = board.text;
    element.dataset.state = last.answer ? "known" : "unknown";
    if (last.answer) show(last.answer);
    else fill(element, sentence(last.message));
    return last;
  }

  function show({ form, automorphisms }) {
    const word = automorphisms === "1" ? "automorphism" : "automorphisms";
    const facts = make("span", {}, "Canonical form, ", numberElement(automorphisms), ` ${word}`);
    fill(element, facts, make("code", { text: form }));
  }

  return box;
}
