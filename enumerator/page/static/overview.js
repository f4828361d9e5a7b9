/* The view "Board": the solution of a unique board at a key, superfluous clues, and the keys. */

import { Board, digitOf } from "./board.js";
import { button, fill, make } from "./dom.js";
import { sentence } from "./numbers.js";
import { makeProgress } from "./progress.js";

/* The number of superfluous clues that are named. */
const MOST_CLUES = 12;

const KEYS = [
  ["1–9, A–Z", "a digit; A is 10"],
  ["1 then 2", "12, on boards beyond 9×9; Enter or a pause ends a number"],
  ["Arrows, Home, End", "another cell; Page Up and Down by a box"],
  ["Backspace", "erase"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Ctrl+V", "paste a board, in any form"],
  ["S", "show the solution of a unique board"],
];

export function makeOverview(page) {
  const facts = make("p", { class: "facts" });
  const solutionBox = make("div", { class: "block" });
  const clueBox = make("div", { class: "block", "aria-live": "polite" });
  const progress = makeProgress({ label: "Superfluous clues", onCancel: cancel });
  const isWide = window.matchMedia("(min-width: 60rem)").matches;
  const keys = KEYS.flatMap(([key, meaning]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text: meaning })]);
  const help = make("details", { class: "help", open: isWide }, make("summary", { text: "Keys" }), make("dl", {}, ...keys));
  const panel = make("div", {}, facts, solutionBox, progress.element, clueBox, help);
  let solution = null;
  let isShown = false;
  let superfluous = new Set();

  function onBoard() {
    const { board } = page;
    solution = null;
    isShown = false;
    superfluous = new Set();
    facts.textContent = `${board.clues} of ${board.cells.length} cells are clues.`;
    fill(solutionBox);
    fill(clueBox);
    progress.end();
    delete clueBox.dataset.state;
  }

  function onVerdict() {
    const { verdict, solution: text } = page.verdict;
    if (verdict !== "unique") return;
    solution = text ? Board.fromText(page.board.height, page.board.width, text) : null;
    showButton();
    askClues();
  }

  function showButton() {
    const key = digitOf("S", page.board.size) ? "" : " (S)"; // on larger boards, S is a digit
    if (!solution) fill(solutionBox);
    else fill(solutionBox, button(`${isShown ? "Hide" : "Show"} the solution${key}`, toggle, { id: "solution" }));
  }

  function toggle() {
    isShown = !isShown;
    const hadFocus = solutionBox.contains(document.activeElement);
    showButton();
    if (hadFocus) solutionBox.firstChild.focus();
    page.redraw();
  }

  function onKey(event) {
    if (event.key.toLowerCase() !== "s" || !solution) return false;
    toggle();
    return true;
  }

  async function askClues() {
    fill(clueBox);
    progress.begin();
    const last = await page.ask("superfluous", { onProgress: progress.update });
    if (!last) return;
    progress.end();
    if (last.answer) showClues(last.answer);
    else refuse(last.message);
  }

  function refuse(message) {
    clueBox.dataset.state = "refused";
    fill(clueBox, make("p", { text: sentence(message) }), button("Look for superfluous clues", askClues));
  }

  function cancel() {
    page.stop("superfluous");
    progress.end();
    refuse("cancelled");
    page.grid.focus();
  }

  function close() {
    page.stop("superfluous");
    progress.end();
  }

  function showClues({ clues: all, complete }) {
    const clues = all.filter((clue) => clue.superfluous);
    clueBox.dataset.state = "known";
    superfluous = new Set(clues.map(({ index }) => index));
    const limit = complete ? "" : " Not all clues were looked at in time.";
    if (!clues.length) {
      fill(clueBox, make("p", { text: `No clue is superfluous.${limit}` }));
      return;
    }
    const several = "It stays unique without any one of these:";
    const text = clues.length === 1 ? "It stays unique without this clue:" : several;
    const items = clues.slice(0, MOST_CLUES).map(({ cell, index, symbol }) =>
      make("li", {}, button(`${cell} = ${symbol}`, () => remove(index), { "aria-label": `Remove ${cell} = ${symbol}` })),
    );
    const others = clues.length - items.length;
    fill(
      clueBox,
      make("h2", { text: `Superfluous ${clues.length === 1 ? "clue" : "clues"}` }),
      make("p", { text: `${text}${limit}` }),
      make("ul", { class: "chips remove" }, ...items),
      others > 0 ? make("p", { text: `and ${others} more, underlined on the board.` }) : null,
    );
    page.redraw();
  }

  function remove(cell) {
    page.grid.select(cell, true);
    page.place(cell, 0);
  }

  function look(cell) {
    const base = page.look(cell);
    if (superfluous.has(cell)) {
      return { ...base, classes: [...base.classes, "superfluous"], label: `${base.label}, superfluous` };
    }
    if (!isShown || page.board.cells[cell]) return base;
    const text = solution.symbol(solution.cells[cell]);
    return { text, kind: "found", classes: base.classes, label: `${text}, of the solution` };
  }

  return { name: "board", title: "Board", panel, onBoard, onVerdict, onKey, look, close };
}
