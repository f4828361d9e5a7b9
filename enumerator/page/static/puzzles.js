/* The view "New puzzle": puzzles by size, clues, symmetry and level, one for the board or four to print. */

import { ask } from "./ask.js";
import { Board } from "./board.js";
import { button, fill, make } from "./dom.js";
import { sentence } from "./numbers.js";
import { makeProgress } from "./progress.js";
import { drawBoard, showSheet } from "./sheet.js";
import { fillSizes } from "./sizes.js";

/* The time limit in seconds. Up to 16×16, most puzzles take less than one. */
const SECONDS = 20;

/* The number of puzzles on a page. */
const A_PAGE = 4;

/* The largest size whose puzzles are made with as few clues as can be, in some seconds each. */
const LARGEST_MINIMAL = 20;

/* The share of the cells that has clues at first, where a number of them is asked for, up to a size. */
const SHARES = [[9, 0.35], [16, 0.42], [25, 0.5]];

const FEW = "few";
const NUMBER = "number";

const CLUES = [[FEW, "as few as can be"], [NUMBER, "this number:"]];

const SYMMETRIES = [
  ["none", "none"],
  ["180", "half a turn"],
  ["90", "a quarter turn"],
  ["mirror", "left to right"],
  ["diagonal", "rows to columns"],
];

const LEVELS = [
  ["", "any"],
  ["singles", "easy: singles"],
  ["pairs", "medium: pairs"],
  ["more", "hard: more"],
];

const HINT = "More clues, no symmetry or another level may help.";

export function makePuzzles(page) {
  const size = make("select", { id: "new-size", on: { change: showSize } });
  const kind = choice("new-kind", CLUES, { change: showKind });
  const number = make("input", { id: "new-clues", type: "number", min: 1, "aria-label": "Number of clues" });
  const symmetry = choice("new-symmetry", SYMMETRIES);
  const level = choice("new-level", LEVELS);
  const seed = make("input", {
    id: "new-seed", type: "text", inputmode: "numeric", autocomplete: "off", placeholder: "random",
    title: "A number. The same one makes the same puzzle again.",
  });
  const print = button("Print four…", printFour, { id: "new-print" });
  const tools = make("div", { class: "tools" }, make("button", { class: "primary", text: "Make a puzzle" }), print);
  const form = make(
    "form",
    { class: "recipe", novalidate: true, on: { submit: onSubmit } }, // the server says what is wrong
    ...row("Size", size),
    ...row("Clues", kind, number),
    ...row("Symmetry", symmetry),
    ...row("Level", level),
    ...row("Seed", seed),
    tools,
  );
  const progress = makeProgress({ label: "Puzzles", onCancel: cancel, found: "puzzles" });
  const status = make("p", { "aria-live": "polite", class: "status" });
  const madeBox = make("div", { class: "block" });
  const panel = make("div", {}, form, progress.element, status, madeBox);
  let asking = null; // the controller of the question at work
  fillSizes(size);
  symmetry.value = "180";
  size.value = "3x3";
  showSize();

  function open() {
    if (panel.dataset.state || ![...size.options].some(({ value }) => value === page.board.shape)) return;
    size.value = page.board.shape;
    showSize();
  }

  /* Show the usual number of clues of a size. */
  function showSize() {
    const [height, width] = size.value.split("x").map(Number);
    const cells = (height * width) ** 2;
    const [, share] = SHARES.find(([largest]) => height * width <= largest);
    const isSmall = height * width <= LARGEST_MINIMAL;
    kind.options[0].disabled = !isSmall;
    kind.value = isSmall ? FEW : NUMBER;
    number.max = cells;
    number.value = 2 * Math.round((share * cells) / 2);
    showKind();
  }

  function showKind() {
    number.hidden = kind.value !== NUMBER;
  }

  function setStatus(state, text) {
    panel.dataset.state = state;
    if (status.textContent !== text) fill(status, text);
  }

  /* Ask for puzzles as the form describes them. Returns the answer, or null after saying why there is none. */
  async function request(wanted) {
    stop();
    const controller = new AbortController();
    asking = controller;
    setStatus("making", "");
    fill(madeBox);
    progress.begin();
    const last = await ask("generate", { ...recipe(), number: wanted, seconds: SECONDS }, {
      signal: controller.signal,
      onProgress: progress.update,
    });
    if (!last) return null;
    progress.end();
    asking = null;
    if (last.kind === "answer") return last.answer;
    setStatus("refused", `${sentence(last.message)} ${last.kind === "stopped" ? HINT : ""}`.trim());
    return null;
  }

  function recipe() {
    return {
      shape: size.value,
      clues: kind.value === NUMBER ? number.value : null,
      symmetry: symmetry.value,
      level: level.value || null,
      seed: seed.value.trim() || null,
    };
  }

  async function onSubmit(event) {
    event.preventDefault();
    const answer = await request(1);
    if (!answer) return;
    const [made] = toBoards(answer);
    setStatus("made", `A puzzle of ${factsOf(made)}. Seed ${answer.seed}.`);
    const puts = button("Put it on the board", () => put(made.board), { id: "put" });
    fill(madeBox, puts, drawBoard(made.board, "The new puzzle"));
  }

  function put(board) {
    page.change(board, "new");
    page.grid.focus();
    page.say("The puzzle is on the board. Undo brings back the board before.");
  }

  async function printFour() {
    const answer = await request(A_PAGE);
    if (!answer) return;
    const made = toBoards(answer);
    const text = answer.complete ? "Four puzzles were made." : `${made.length} of four puzzles were made in ${SECONDS} s.`;
    setStatus("made", `${text} Seed ${answer.seed}.`);
    showSheet(made.map(({ board, ...others }) => ({ board, facts: factsOf(others) })), text);
  }

  function stop() {
    asking?.abort();
    asking = null;
    progress.end();
  }

  function close() {
    if (asking) setStatus("stopped", "");
    stop();
  }

  function cancel() {
    stop();
    setStatus("stopped", "Cancelled.");
    size.focus();
  }

  return { name: "new", title: "New puzzle", panel, open, close };
}

function choice(id, options, on = {}) {
  return make("select", { id, on }, ...options.map(([value, text]) => make("option", { value, text })));
}

/* The label of a control, and the control with what stands beside it. */
function row(text, control, ...others) {
  return [make("label", { for: control.id, text }), make("div", { class: "controls" }, control, ...others)];
}

function toBoards({ box: [height, width], puzzles }) {
  return puzzles.map(({ board, ...others }) => ({ board: Board.fromText(height, width, board), ...others }));
}

function factsOf({ clues, level }) {
  const [, title] = LEVELS.find(([name]) => name === level) ?? [];
  return title ? `${clues} clues, ${title.split(":")[0]}` : `${clues} clues`;
}
