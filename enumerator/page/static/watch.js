/* The view "Watch": the board solved step by step, or played, with the rule and the reason of each step.

   The record comes from the server in one piece (record.js). Up to 16×16, cells show their candidates; beyond,
   the digits that are placed. A step is marked by forms, not by colour alone: a solid frame is the cell of
   the step, a dotted one a reason, a dashed one loses candidates, which are struck out; a corner is a dead end. */

import { button, enable, fill, make, say } from "./dom.js";
import { LARGEST_WITH_MARKS } from "./grid.js";
import { capital, grouped, sentence as asSentence } from "./numbers.js";
import { CLUE, GUESS, Record, TENTATIVE, digitsOf } from "./record.js";

/* The largest board that is solved step by step. */
const LARGEST = 25;

/* The time of a step in milliseconds, by the name of the speed. */
const SPEEDS = [["Slow", 1500], ["Normal", 600], ["Fast", 150], ["Very fast", 30]];

/* The number of guesses that are listed, the last ones. */
const MOST_GUESSES = 8;

const LEGEND = [
  ["target", "the cell of the step"],
  ["because", "its reasons"],
  ["losing", "loses candidates"],
  ["dead", "a dead end"],
  ["guessed", "a guess", "5"],
  ["following", "depends on a guess", "5"],
];

export function makeWatch(page) {
  const first = button("«", () => jump(0), { "aria-label": "To the start" });
  const back = button("‹", () => jump(position - 1), { "aria-label": "Step back" });
  const play = button("Play", toggle, { class: "play" });
  const forward = button("›", () => jump(position + 1), { "aria-label": "Step forward" });
  const last = button("»", () => jump(record.length), { "aria-label": "To the end" });
  const buttons = make("div", { class: "player", role: "group", "aria-label": "Steps" }, first, back, play, forward, last);
  const slider = make("input", {
    type: "range", id: "position", min: 0, value: 0, "aria-label": "Position", title: "Arrows: a step. Space: play, pause.",
    on: { input: onSlide, keydown: onSpace },
  });
  const place = make("p", { class: "place" });
  const speed = make("select", { id: "speed" }, ...SPEEDS.map(([text, time]) => make("option", { value: time, text })));
  const speedBox = make("label", { class: "speed" }, make("span", { text: "Speed" }), speed);
  const still = make("p", { class: "facts", text: "Playing is off, because reduced motion is asked for." });
  const rule = make("p", { class: "rule" });
  const reason = make("p", { class: "reason" });
  const spoken = make("div", { class: "step", "aria-live": "polite", "aria-atomic": "true" }, rule, reason);
  const guesses = make("div", { class: "block guesses" });
  const status = make("p", { class: "facts", "aria-live": "polite" });
  const rules = make("div", { class: "block" });
  const pace = make("div", { class: "pace" }, place, speedBox);
  const controls = make("div", { class: "watch" }, buttons, slider, pace, still, spoken, makeLegend(), guesses, rules);
  const panel = make("div", {}, status, controls);
  const frame = page.grid.table.parentElement;
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  let record = null;
  let position = 0;
  let timer = 0; // 0: not playing
  let unit = new Set();
  speed.value = String(SPEEDS[1][1]);
  reduced.addEventListener("change", showMotion);
  showMotion();

  function onBoard() {
    pause();
    record = null;
    controls.hidden = true;
    panel.dataset.state = "waiting";
    frame.classList.toggle("with-marks", page.board.size <= LARGEST_WITH_MARKS);
    if (page.board.size > LARGEST) setStatus("refused", `Boards up to ${LARGEST}×${LARGEST} are solved step by step.`);
    else begin();
  }

  function setStatus(state, text) {
    panel.dataset.state = state;
    panel.dataset.board = page.board.text;
    say(status, text);
  }

  async function begin() {
    const line = await page.ask("steps");
    if (!line) return;
    if (line.kind !== "answer") {
      setStatus("refused", asSentence(line.message));
      return;
    }
    record = new Record(page.board, line.answer);
    slider.max = record.length;
    controls.hidden = false;
    setStatus("known", summary());
    showRules();
    show(0);
  }

  function summary() {
    const { headline, ended } = record.answer;
    const others = ended === "solved" && page.verdict?.verdict === "multiple" ? " This is one of several solutions." : "";
    return `${capital(headline)}.${others}`;
  }

  function onVerdict() {
    if (record) say(status, summary());
  }

  /* Show a position. */
  function show(wanted) {
    position = Math.max(0, Math.min(record.length, wanted));
    record.go(position);
    const { step } = record;
    unit = new Set(step?.unit ? record.unitCells(step.unit) : []);
    const steps = record.length - (record.answer.ended === "solved");
    const text = position > steps ? "Solved" : `Step ${grouped(position)} of ${grouped(steps)}`;
    slider.value = position;
    slider.setAttribute("aria-valuetext", text);
    say(place, text);
    const { title, sentence } = wordsOf(step);
    say(rule, title);
    say(reason, sentence);
    panel.dataset.position = position;
    showGuesses();
    enable(first, position > 0);
    enable(back, position > 0);
    enable(forward, position < record.length);
    enable(last, position < record.length);
    page.redraw();
    reveal();
  }

  /* The rule of a step, or what its sentence begins with ("Dead end: …"), and the sentence. */
  function wordsOf(step) {
    if (!step) return { title: "Start", sentence: `${record.board.cells.length - record.board.clues} cells are empty.` };
    if (step.rule && step.rule !== "guess") return { title: capital(step.rule), sentence: step.text };
    const [title, ...rest] = step.text.split(": ");
    return { title, sentence: capital(rest.join(": ")) };
  }

  /* Where the board is wider than its frame, show the column of the step. */
  function reveal() {
    const cell = record.step?.cell ?? record.step?.cells?.[0];
    if (cell === undefined || frame.scrollWidth <= frame.clientWidth) return;
    const { offsetLeft, offsetWidth } = page.grid.elements[cell];
    const isBefore = offsetLeft < frame.scrollLeft;
    const isBehind = offsetLeft + offsetWidth > frame.scrollLeft + frame.clientWidth;
    if (isBefore || isBehind) frame.scrollLeft = offsetLeft - (frame.clientWidth - offsetWidth) / 2;
  }

  /* The guesses on which the position depends, the last one first. */
  function showGuesses() {
    const stack = record.state.guesses;
    const { deepest } = record.answer;
    if (!deepest) {
      fill(guesses);
      return;
    }
    const items = stack.slice(-MOST_GUESSES).map(({ number, cell, digit }, index) => {
      const depth = Math.max(0, stack.length - MOST_GUESSES) + index + 1;
      const text = `${depth}: ${record.board.place(cell)} = ${record.board.symbol(digit)}`;
      return make("li", {}, button(text, () => jump(number), { "aria-label": `Guess ${text}, to step ${number}` }));
    });
    const others = stack.length - items.length;
    fill(
      guesses,
      make("h2", { text: `Guesses: depth ${stack.length} of at most ${deepest}` }),
      others ? make("p", { text: `${others} earlier, and` }) : null,
      items.length ? make("ol", { class: "chips" }, ...items) : make("p", { text: "None is needed so far." }),
    );
  }

  function showRules() {
    const rows = Object.entries(record.answer.rules).map(([name, number]) =>
      make("tr", {}, make("th", { scope: "row", text: capital(name) }), make("td", { text: grouped(number) })),
    );
    const heads = ["rule", "steps"].map((text) => make("th", { scope: "col", text }));
    const table = make("table", { class: "numbers" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
    fill(rules, rows.length ? make("details", {}, make("summary", { text: "Rules in this record" }), table) : null);
  }

  /* Moving: by the buttons, by the slider, by the clock. */

  function jump(wanted) {
    pause();
    show(wanted);
  }

  function onSlide() {
    jump(Number(slider.value));
  }

  function onSpace(event) {
    if (event.key !== " ") return;
    event.preventDefault();
    toggle();
  }

  function toggle() {
    if (timer) pause();
    else if (!reduced.matches) start();
  }

  function start() {
    if (position === record.length) show(0);
    spoken.setAttribute("aria-live", "off"); // a reader could not keep up
    play.textContent = "Pause";
    panel.dataset.playing = "true";
    timer = setTimeout(tick, Number(speed.value));
  }

  function tick() {
    show(position + 1);
    if (position === record.length) pause();
    else timer = setTimeout(tick, Number(speed.value));
  }

  function pause() {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    play.textContent = "Play";
    delete panel.dataset.playing;
    spoken.setAttribute("aria-live", "polite");
    fill(spoken); // and again: a change is what a live region speaks of
    requestAnimationFrame(() => fill(spoken, rule, reason));
  }

  function showMotion() {
    if (reduced.matches) pause();
    play.hidden = speedBox.hidden = reduced.matches;
    still.hidden = !reduced.matches;
  }

  /* The board at the position. */

  function look(cell) {
    if (!record) return page.look(cell);
    const { step, state, removed, board } = record;
    const classes = [...page.look(cell).classes, ...classesOf(cell, step, removed)];
    const notes = classes.map((name) => NOTES[name]).filter((note) => note);
    const digit = state.cells[cell];
    if (digit) {
      const origin = state.origins[cell];
      const kind = origin === CLUE ? "clue" : origin === GUESS ? "guess" : "found";
      if (origin === TENTATIVE) classes.push("tentative");
      return { text: board.symbol(digit), kind, classes, label: [board.symbol(digit), ORIGINS[origin], ...notes].join(", ") };
    }
    const gone = removed.get(cell) ?? [];
    const left = digitsOf(state.masks[cell]).filter((each) => !gone.includes(each));
    const symbols = (digits) => digits.map((each) => board.symbol(each)).join(" ");
    const lost = gone.length ? [`without ${symbols(gone)}`] : [];
    const label = [left.length ? `candidates ${symbols(left)}` : "no candidates", ...lost, ...notes].join(", ");
    if (board.size > LARGEST_WITH_MARKS) return { classes, label };
    const marks = [...left.map((each) => ({ digit: each })), ...gone.map((each) => ({ digit: each, kind: "removed" }))];
    return { marks, classes, label };
  }

  function classesOf(cell, step, removed) {
    if (!step) return [];
    const names = unit.has(cell) ? ["unit"] : [];
    if (step.cell === cell) return [...names, "target"];
    if (step.kind === "dead end") return step.cells.includes(cell) ? [...names, "dead"] : names;
    if (step.rule === "elimination" && step.cells.includes(cell)) return [...names, "target"];
    if (step.because?.includes(cell)) names.push("because");
    if (removed.has(cell)) names.push("losing");
    return names;
  }

  function close() {
    pause();
    page.stop("steps");
    frame.classList.remove("with-marks");
  }

  return { name: "watch", title: "Watch", panel, close, onBoard, onVerdict, look };
}

const ORIGINS = ["a clue", "concluded", "depends on a guess", "a guess"];

const NOTES = { target: "the cell of the step", because: "a reason", dead: "a dead end", conflict: "in conflict" };

function makeLegend() {
  const sample = (name, digit) => make("span", { class: `key ${name}`, text: digit, "aria-hidden": "true" });
  const items = LEGEND.map(([name, text, digit]) => make("li", {}, sample(name, digit), text));
  return make("ul", { class: "legend keys" }, ...items);
}
