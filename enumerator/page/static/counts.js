/* The number of solutions: counted after the verdict, with progress, and ended by Cancel or an edit.

   `count`: {state, solutions, complete}; `state` is "counting", "done", "cut off" (at least `solutions`),
   "cancelled" or "refused" (no number: the server is busy, or there was an error). */

import { button, fill, make } from "./dom.js";
import { numberElement, roughly, sentence as asSentence, solutionsWord } from "./numbers.js";
import { makeProgress } from "./progress.js";

export function makeCounts(element, progressPlace, page) {
  const box = { count: null, reset, clear, begin };
  const progress = makeProgress({
    label: "Count",
    onCancel: cancel,
    onShow: () => fill(element, make("p", { text: "Counting…" })),
  });
  progressPlace.append(progress.element);

  /* Another board: nothing is known. What was shown stays until the verdict, or until `clear`. */
  function reset() {
    box.count = null;
    element.dataset.state = "pending";
    progress.end();
  }

  function clear() {
    fill(element);
  }

  function set(state, facts = {}) {
    box.count = { state, ...facts };
    element.dataset.state = state;
    element.dataset.board = page.board.text;
    page.countChanged();
  }

  /* Begin after the verdict: only a board with several solutions is counted. */
  function begin() {
    const { verdict, at_least: atLeast } = page.verdict;
    if (verdict === "multiple") {
      count();
      return;
    }
    const isKnown = verdict !== "unknown";
    const solutions = isKnown ? String(Number(verdict === "unique")) : String(atLeast ?? 0);
    fill(element, verdict === "unique" ? sentence("", "1") : null);
    set(isKnown ? "done" : "cut off", { solutions, complete: isKnown });
  }

  async function count() {
    set("counting");
    progress.begin();
    const last = await page.ask("count", { onProgress: progress.update });
    if (!last) return;
    progress.end();
    if (last.answer) show(last.answer);
    else refuse(last);
  }

  function show(answer) {
    const { solutions, complete } = answer;
    const estimate = complete ? null : roughly(answer.estimated_solutions);
    fill(
      element,
      sentence(complete ? "" : "At least ", solutions),
      estimate && make("p", { class: "estimate", text: `Estimated total: about ${estimate}.` }),
      complete ? null : againButton("Count again"),
    );
    set(complete ? "done" : "cut off", { solutions, complete });
  }

  function refuse({ message }) {
    fill(element, make("p", { text: asSentence(message) }), againButton("Count now"));
    set("refused");
  }

  function cancel() {
    page.stop("count");
    progress.end();
    const { solutions } = progress;
    const known = solutions === "0" ? make("p", { text: "Count cancelled." }) : sentence("Cancelled: at least ", solutions);
    fill(element, known, againButton("Count again"));
    set("cancelled", { solutions, complete: false });
    page.grid.focus();
  }

  function againButton(text) {
    return button(text, () => {
      clear();
      page.grid.focus();
      count();
    });
  }

  return box;
}

function sentence(before, solutions) {
  return make("p", {}, before, numberElement(solutions), ` ${solutionsWord(solutions)}`);
}
