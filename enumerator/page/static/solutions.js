/* The view "Solutions": the n-th solution, counted from 1, and random ones. Numbers are BigInt: they may be huge. */

import { Board } from "./board.js";
import { button, enable, fill, isEnabled, make } from "./dom.js";
import { grouped, sentence } from "./numbers.js";
import { makeProgress } from "./progress.js";

export function makeSolutions(page) {
  const input = make("input", {
    id: "nth",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Number of the solution",
  });
  const totalText = make("p", { class: "facts" });
  const first = stepButton("«", () => 1n, "First solution");
  const previous = stepButton("‹", () => number - 1n, "Previous solution");
  const next = stepButton("›", () => number + 1n, "Next solution");
  const last = stepButton("»", () => total, "Last solution");
  const steps = make("div", { class: "steps" }, first, previous, next, last);
  const form = make("form", { class: "block", on: { submit: onSubmit } }, input, totalText, steps);
  const random = button("Random solution", draw, { id: "random" });
  const copy = button("Copy this solution", () => page.copy(solution.text, "The solution is copied."), { id: "copy-solution" });
  const progress = makeProgress({ label: "Solution", onCancel: cancel });
  const status = make("p", { "aria-live": "polite", class: "status" });
  const panel = make("div", {}, form, make("div", { class: "tools" }, random, copy), progress.element, status);
  let number = 1n; // the solution that is shown or asked for; null for a random one
  let total = null; // null: not known
  let solution = null;

  function stepButton(text, target, label) {
    return button(text, (event) => isEnabled(event.currentTarget) && go(target()), { "aria-label": label });
  }

  function onBoard() {
    number = 1n;
    total = null;
    solution = null;
    progress.end();
    setStatus("waiting", "");
    showNumber();
    showControls();
  }

  function onVerdict() {
    if (page.verdict.verdict === "none") setStatus("none", "There is no solution to show.");
    else if (page.verdict.verdict !== "unknown") go(1n);
  }

  function onCount() {
    const { complete, solutions } = page.count;
    total = complete ? BigInt(solutions) : null;
    showControls();
  }

  function showControls() {
    const isAny = total !== 0n && page.verdict !== null && page.verdict.verdict !== "none";
    enable(first, isAny && number !== 1n);
    enable(previous, isAny && number !== null && number > 1n);
    enable(next, isAny && number !== null && (total === null || number < total));
    enable(last, isAny && total !== null && number !== total);
    input.disabled = !isAny;
    random.disabled = !isAny;
    copy.disabled = solution === null;
    totalText.textContent = total === null ? "" : `of ${grouped(String(total))}`;
  }

  /* Show the number of the solution. What is being typed stays while a count ends. */
  function showNumber() {
    input.value = number === null ? "" : grouped(String(number));
    input.placeholder = number === null ? "random" : "";
  }

  function setStatus(state, text) {
    panel.dataset.state = state;
    panel.dataset.board = page.board.text;
    if (status.textContent !== text) fill(status, text);
  }

  function onSubmit(event) {
    event.preventDefault();
    const digits = input.value.replace(/[\s,.'_]/g, "");
    const wanted = /^\d+$/.test(digits) ? BigInt(digits) : 0n;
    if (wanted === 0n) setStatus("refused", "A number is digits only, and at least 1.");
    else if (total !== null && wanted > total) setStatus("refused", range());
    else go(wanted);
  }

  async function go(wanted) {
    number = wanted;
    await show(page.ask("nth", { slot: "solution", n: String(wanted), onProgress: begin() }), (answer) => answer.solution);
  }

  async function draw() {
    number = null;
    await show(page.ask("sample", { slot: "solution", number: 1, onProgress: begin() }), (answer) => answer.solutions[0]);
  }

  function begin() {
    setStatus("asking", "");
    showNumber();
    showControls();
    progress.begin();
    return progress.update;
  }

  async function show(asked, text) {
    const line = await asked;
    if (!line) return;
    progress.end();
    if (line.kind !== "answer") {
      solution = null;
      setStatus("refused", line.code === "no such solution" ? range() : sentence(line.message));
    } else {
      solution = Board.fromText(page.board.height, page.board.width, text(line.answer));
      setStatus("shown", number === null ? "A random solution: each is equally likely." : "");
    }
    showControls();
    page.redraw();
  }

  /* The server's message counts from 0, as the command does; here the first solution is number 1. */
  function range() {
    return total === null ? "There are fewer solutions." : `Numbers go from 1 to ${grouped(String(total))}.`;
  }

  function cancel() {
    page.stop("solution");
    progress.end();
    setStatus("cancelled", "Cancelled.");
    input.focus();
  }

  function look(cell) {
    const base = page.look(cell);
    if (!solution || page.board.cells[cell]) return base;
    const text = solution.symbol(solution.cells[cell]);
    return { text, kind: "found", classes: base.classes, label: `${text}, of the solution` };
  }

  function close() {
    page.stop("solution");
    progress.end();
  }

  return { name: "solutions", title: "Solutions", panel, close, onBoard, onVerdict, onCount, look };
}
