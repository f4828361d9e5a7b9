/* The verdict, asked after each change of the board, and the conflicts between clues. */

import { button, fill, make } from "./dom.js";
import { sentence as asSentence } from "./numbers.js";

const HEADLINES = {
  unique: "Unique",
  multiple: "Not unique",
  none: "No solution",
  unknown: "Not decided",
};

/* After this time in milliseconds, the verdict on the last board is taken away: most come sooner, without a flicker. */
const PATIENCE = 200;

/* The number of conflicts that are named; the others are counted. */
const MOST_CONFLICTS = 6;

export function makeVerdict(element, page) {
  const box = { answer: null, conflictCells: new Set(), judge };
  let timer = 0;

  async function judge() {
    box.answer = null;
    box.conflictCells = new Set();
    clearTimeout(timer);
    element.dataset.state = "pending";
    timer = setTimeout(showPending, PATIENCE);
    const { board } = page;
    const last = await page.ask("classify", { onProgress: showPending });
    if (!last) return;
    clearTimeout(timer);
    element.dataset.board = board.text;
    if (last.kind !== "answer") showError(last);
    else show(last.answer);
  }

  function showPending() {
    if (element.dataset.state !== "pending") return;
    element.dataset.state = "deciding"; // once: a live region would repeat it
    page.counts.clear();
    fill(element, make("p", { class: "headline", text: "Deciding…" }));
  }

  function show(answer) {
    box.answer = answer;
    const conflicts = answer.conflicts ?? [];
    box.conflictCells = new Set(conflicts.flatMap(({ cells }) => cells));
    element.dataset.state = answer.verdict;
    fill(element, make("p", { class: "headline", text: HEADLINES[answer.verdict] }), ...explain(answer, conflicts));
    page.verdictKnown();
  }

  function explain(answer, conflicts) {
    if (answer.verdict === "unknown") return [make("p", { text: asSentence(answer.reason) }), againButton()];
    if (!conflicts.length) return [];
    const sentences = conflicts.slice(0, MOST_CONFLICTS).map(({ sentence }) => make("li", { text: asSentence(sentence) }));
    const others = conflicts.length - MOST_CONFLICTS;
    if (others > 0) sentences.push(make("li", { text: `and ${others} more` }));
    return [make("ul", { class: "conflicts" }, ...sentences)];
  }

  function showError(last) {
    element.dataset.state = "error";
    page.counts.clear();
    const message = make("p", { text: asSentence(last.message) });
    fill(element, make("p", { class: "headline", text: "No verdict" }), message, againButton());
  }

  /* All questions about the board are asked again. */
  function againButton() {
    return button("Try again", () => {
      page.grid.focus();
      page.boardChanged();
    });
  }

  return box;
}
