/* The progress of a question: its share, the solutions so far, and a button that cancels it. */

import { button, make } from "./dom.js";
import { grouped, percentDone } from "./numbers.js";

/* Progress is shown after this time in milliseconds: a short answer has none. */
const PATIENCE = 300;

/* The largest share of the bar. It is full only when there is an answer, and then it is gone. */
const MOST = 0.999;

/* Return a progress line. `element` is hidden until a question that has `begun` lasts. `found` is what is counted. */
export function makeProgress({ label, onCancel, onShow = () => {}, found = "solutions" }) {
  const bar = make("progress", { "aria-label": `${label}: share that is done` });
  const line = make("span", { class: "progress-text" });
  const element = make("div", { class: "progress", hidden: true }, bar, line, button("Cancel", onCancel));
  const box = { element, solutions: "0", begin, update, end };
  let timer = 0;

  function begin() {
    end();
    box.solutions = "0";
    line.textContent = "at work";
    timer = setTimeout(() => {
      element.hidden = false;
      onShow();
    }, PATIENCE);
  }

  /* Show a line of the kind `progress`. */
  function update({ share, solutions, stage }) {
    if (solutions) box.solutions = solutions;
    const isKnown = typeof share === "number";
    if (isKnown) bar.value = Math.min(share, MOST);
    else bar.removeAttribute("value");
    const known = box.solutions === "0" ? "" : `${grouped(box.solutions)} ${found} so far`;
    const parts = [stage === found ? "" : stage, isKnown ? percentDone(share) : "", known];
    line.textContent = parts.filter((part) => part).join(", ") || "at work";
  }

  function end() {
    clearTimeout(timer);
    element.hidden = true;
    bar.removeAttribute("value");
  }

  return box;
}
