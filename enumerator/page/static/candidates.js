/* The view "Candidates": in how many solutions each digit stands in each cell, and what makes the board unique.

   Up to 16×16, a cell shows its digits, each shaded by its share of the solutions. Beyond, a cell has one
   shade: the share of its most frequent digit. The exact numbers of the selected cell are in a table. */

import { button, fill, make } from "./dom.js";
import { LARGEST_WITH_MARKS } from "./grid.js";
import { grouped, numberElement, percent, sentence, shadeOf, shareOf } from "./numbers.js";
import { makeProgress } from "./progress.js";

/* The number of clues that are offered at first; the others are behind a summary. */
const MOST_CLUES = 12;

const SHADED_DIGITS =
  "A digit is shaded by its share of the solutions, up to 10, 20, … 100 %: dark is frequent. " +
  "A digit alone is in all of them. " +
  "Click a digit with a frame to make the board unique.";

const SHADED_CELLS =
  "A cell is shaded by the share of its most frequent digit, up to 10, 20, … 100 % of the solutions: dark is frequent. " +
  "A digit alone is in all of them.";

export function makeCandidates(page) {
  const status = make("p", { "aria-live": "polite" });
  const progress = makeProgress({ label: "Candidates", onCancel: cancel });
  const againBox = make("div");
  const clueBox = make("div", { class: "block" });
  const legend = makeLegend();
  const cellBox = make("div", { class: "block", id: "cell" });
  const panel = make("div", {}, status, progress.element, againBox, clueBox, cellBox, legend);
  let answer = null;
  let known = null; // the board that `answer` is about
  let counts = [];
  let unique = new Set();

  function onBoard() {
    if (answer && known === page.board) {
      showCell(); // the view is opened again
      return;
    }
    answer = null;
    unique = new Set();
    progress.end();
    setStatus("waiting", "");
    fill(clueBox);
    showCell();
  }

  function setStatus(state, text, again = null) {
    panel.dataset.state = state;
    panel.dataset.board = page.board.text;
    if (status.textContent !== text) status.textContent = text;
    fill(againBox, again);
    legend.hidden = state !== "known";
  }

  function onCount() {
    const { state, solutions } = page.count;
    if (answer || page.asker.isAsking("candidates")) return;
    if (state === "counting") setStatus("waiting", "Candidates follow the count.");
    else if (state !== "done") setStatus("stopped", "The solutions are not counted.", button("Count the candidates", begin));
    else if (solutions === "0") setStatus("none", "A board without a solution has no candidates.");
    else begin();
  }

  async function begin() {
    setStatus("counting", "");
    progress.begin();
    const last = await page.ask("candidates", { onProgress: progress.update });
    if (!last) return;
    progress.end();
    if (last.kind === "answer") show(last.answer);
    else setStatus("stopped", sentence(last.message), button("Count the candidates", begin));
  }

  function cancel() {
    page.stop("candidates");
    progress.end();
    setStatus("stopped", "Cancelled.", button("Count the candidates", begin));
    page.grid.focus();
  }

  function show(found) {
    answer = found;
    known = page.board;
    counts = found.candidates;
    setStatus("known", "");
    legend.lastChild.textContent = page.board.size > LARGEST_WITH_MARKS ? SHADED_CELLS : SHADED_DIGITS;
    showClues();
    showCell();
    page.redraw();
  }

  function showClues() {
    if (answer.solutions === "1") {
      fill(clueBox, make("p", { text: "The board is unique: each cell has one candidate." }));
      return;
    }
    const clues = answer.closest_clues;
    const isUnique = clues[0]?.solutions === "1";
    if (isUnique) unique = new Set(clues.map(({ cell, digit }) => `${page.board.cellAt(cell)} ${digit}`));
    const items = clues.map((clue) => make("li", {}, clueButton(clue, isUnique)));
    const rest = items.slice(MOST_CLUES);
    const more = make("summary", { text: `${rest.length} more` });
    fill(
      clueBox,
      make("h2", { text: isUnique ? "Makes it unique" : "Closest to unique" }),
      isUnique ? null : make("p", { text: "No single digit makes the board unique." }),
      make("ul", { class: "chips" }, ...items.slice(0, MOST_CLUES)),
      rest.length ? make("details", {}, more, make("ul", { class: "chips" }, ...rest)) : null,
    );
  }

  function clueButton({ cell, digit, solutions }, isUnique) {
    const text = `${cell} = ${page.board.symbol(digit)}${isUnique ? "" : ` leaves ${grouped(solutions)}`}`;
    return button(text, () => {
      const index = page.board.cellAt(cell);
      page.grid.select(index, true);
      page.place(index, digit);
    });
  }

  /* Show the exact numbers of the selected cell. */
  function showCell() {
    const cell = page.grid.selected;
    if (!answer) {
      fill(cellBox);
      return;
    }
    const { board } = page;
    const present = possible(cell);
    const rows = present.map((digit) => {
      const count = counts[cell][digit - 1];
      const share = shareOf(count, answer.solutions);
      const shade = shadeOf(count, answer.solutions);
      const swatch = make("span", { class: `swatch shade-${shade}`, text: board.symbol(digit) });
      const name = make("th", { scope: "row" }, swatch);
      return make("tr", {}, name, make("td", {}, numberElement(count)), make("td", { text: percent(share) }));
    });
    const heads = ["digit", "solutions", "share"].map((text) => make("th", { scope: "col", text }));
    const head = make("thead", {}, make("tr", {}, ...heads));
    fill(
      cellBox,
      make("h2", { text: `${board.place(cell)}${board.cells[cell] ? ", a clue" : ""}` }),
      make("table", { class: "numbers" }, head, make("tbody", {}, ...rows)),
    );
  }

  function possible(cell) {
    return counts[cell].map((count, index) => (count === "0" ? 0 : index + 1)).filter((digit) => digit);
  }

  function look(cell) {
    const base = page.look(cell);
    if (!answer || page.board.cells[cell]) return base;
    const { board } = page;
    const present = possible(cell);
    if (present.length === 1) {
      const text = board.symbol(present[0]);
      return { text, kind: "found", label: `${text} in every solution` };
    }
    const shades = new Map(present.map((digit) => [digit, shadeOf(counts[cell][digit - 1], answer.solutions)]));
    const parts = present.map((digit) => `${board.symbol(digit)} in ${grouped(counts[cell][digit - 1])}`);
    const label = `${parts.join(", ")} of ${grouped(answer.solutions)} solutions`;
    if (board.size > LARGEST_WITH_MARKS) return { shade: Math.max(...shades.values()), label };
    const marks = present.map((digit) => ({
      digit,
      shade: shades.get(digit),
      kind: unique.has(`${cell} ${digit}`) ? "pick" : "",
    }));
    return { marks, label };
  }

  function close() {
    page.stop("candidates");
    progress.end();
  }

  return { name: "candidates", title: "Candidates", panel, close, onBoard, onCount, onSelect: showCell, look };
}

function makeLegend() {
  const swatches = Array.from({ length: 10 }, (_, index) =>
    make("span", { class: `swatch shade-${index + 1}`, text: String(10 * (index + 1)) }),
  );
  const scale = make("p", { class: "scale" }, ...swatches);
  return make("div", { class: "legend", hidden: true }, scale, make("p"));
}
