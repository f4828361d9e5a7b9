/* The view "Clues": the number of solutions without each clue, superfluous ones, and the fewest clues to add or keep.

   A clue is shaded by how much depends on it. A superfluous one is underlined. */

import { Board } from "./board.js";
import { button, fill, make } from "./dom.js";
import { grouped, numberElement, sentence } from "./numbers.js";
import { makeOffer } from "./offer.js";
import { makeProgress } from "./progress.js";
import { makeUnavoidable } from "./unavoidable.js";

/* The number of sets of clues to add that are offered. */
const MOST_SETS = 12;

const LEGEND = "The darker a clue, the more solutions there are without it. An underlined clue is superfluous.";

export function makeClues(page) {
  const status = make("p", { "aria-live": "polite" });
  const progress = makeProgress({ label: "Clues", onCancel: cancel });
  const againBox = make("div", { class: "block" });
  const adding = makeOffer(page, { name: "complete", id: "add", text: "Find the fewest clues to add", show: showSets });
  const reducing = makeOffer(page, { name: "minimal", id: "minimal", text: "Make it minimal", show: reduce });
  const unavoidable = makeUnavoidable(page);
  const clueBox = make("div", { class: "block" });
  const offers = [adding, reducing, unavoidable];
  const elements = offers.map(({ element }) => element);
  const panel = make("div", {}, status, progress.element, againBox, ...elements, clueBox);
  let byCell = new Map();

  function onBoard() {
    byCell = new Map();
    progress.end();
    setStatus("waiting", "");
    for (const offer of offers) offer.withdraw();
    fill(clueBox);
  }

  function setStatus(state, text, again = null) {
    panel.dataset.state = state;
    status.textContent = text;
    fill(againBox, again);
  }

  function onVerdict() {
    if (!page.board.clues) setStatus("none", "The board has no clues.");
    else if (page.verdict.verdict === "none") setStatus("none", "The board has no solution.");
    else begin();
    offerOthers(page.verdict.verdict);
  }

  /* Offer to look for clues to add, on a board with several solutions, and else for those that can go. */
  function offerOthers(verdict) {
    if (verdict === "multiple") {
      adding.offer();
      reducing.withdraw("Only a board with one solution can be made minimal.");
    } else if (verdict !== "none" && page.board.clues) {
      reducing.offer();
      unavoidable.offer();
    }
  }

  async function begin() {
    setStatus("counting", "");
    progress.begin();
    const last = await page.ask("clues", { onProgress: progress.update });
    if (!last) return;
    progress.end();
    if (last.kind === "answer") show(last.answer);
    else setStatus("stopped", sentence(last.message), button("Count without each clue", begin));
  }

  function cancel() {
    page.stop("clues");
    progress.end();
    setStatus("stopped", "Cancelled.", button("Count without each clue", begin));
    page.grid.focus();
  }

  function show({ headline, clues, complete, minimal }) {
    byCell = new Map(clues.map((clue) => [clue.index, clue]));
    setStatus("known", `${sentence(headline)}${complete ? "" : " Not all clues were looked at in time."}`);
    if (minimal) reducing.withdraw();
    const heads = ["clue", "solutions without it"].map((text) => make("th", { scope: "col", text }));
    const rows = clues.map((clue) => make("tr", {}, make("th", { scope: "row" }, removeButton(clue)), number(clue)));
    const table = make("table", { class: "numbers" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
    fill(clueBox, make("p", { text: LEGEND }), table);
    page.redraw();
  }

  function number({ solutions, exact }) {
    return make("td", {}, numberElement(solutions), exact ? null : " or more");
  }

  function removeButton({ cell, index, symbol }) {
    return button(`${cell} = ${symbol}`, () => page.place(index, 0), { "aria-label": `Remove ${cell} = ${symbol}` });
  }

  function showSets(box, { headline, sets, next }) {
    const items = sets.slice(0, MOST_SETS).map((clues) => make("li", {}, addButton(clues)));
    const tells = next && `${next.cell} tells most: ${next.bits.toFixed(2)} bits.`;
    fill(
      box,
      make("p", { id: "added", text: `${sentence(headline)} ${tells ?? ""}` }),
      make("ul", { class: "chips" }, ...items),
    );
  }

  function addButton(clues) {
    const text = clues.map(({ cell, symbol }) => `${cell} = ${symbol}`).join(", ");
    return button(text, () => {
      const add = (board, { cell, symbol }) => board.with(board.cellAt(cell), board.symbols.indexOf(symbol) + 1);
      page.change(clues.reduce(add, page.board), "new");
    });
  }

  function reduce(_, { puzzle, clues, removed }) {
    const { board } = page;
    page.change(Board.fromText(board.height, board.width, puzzle), "new");
    page.grid.focus();
    const gone = removed ? `${removed} superfluous ${removed === 1 ? "clue is" : "clues are"} gone` : "It was minimal";
    page.say(`${gone}: the puzzle has ${clues} clues, and none can go.`);
  }

  function look(cell) {
    const base = page.look(cell);
    if (unavoidable.cells.has(cell)) {
      return { ...base, classes: [...base.classes, "because"], label: `${base.label}, in the set` };
    }
    const clue = byCell.get(cell);
    if (!clue) return base;
    const without = `${grouped(clue.solutions)}${clue.exact ? "" : " or more"} solutions without it`;
    if (clue.superfluous) return { ...base, classes: [...base.classes, "superfluous"], label: `${base.label}, superfluous` };
    return { ...base, shade: Math.max(1, Math.ceil(10 * clue.level)), label: `${base.label}, ${without}` };
  }

  function close() {
    page.stop("clues");
    progress.end();
    for (const offer of offers) offer.end();
  }

  return { name: "clues", title: "Clues", panel, close, onBoard, onVerdict, look };
}
