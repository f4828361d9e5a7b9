/* The unavoidable sets of a solution, one at a time, for the view "Clues". */

import { button, enable, fill, isEnabled, make, say } from "./dom.js";
import { grouped, sentence } from "./numbers.js";
import { makeOffer } from "./offer.js";

const LEGEND = "The cells of a set could be filled in another way: one of them must be a clue.";

/* Return an offer to find the sets. `cells` are those of the set that is shown. */
export function makeUnavoidable(page) {
  const offer = makeOffer(page, { name: "unavoidable", id: "unavoidable", text: "Find unavoidable sets", show });
  const previous = step("‹", -1, "Previous set");
  const next = step("›", 1, "Next set");
  const place = make("p", { id: "set" });
  const steps = make("div", { class: "steps", role: "group", "aria-label": "Sets" }, previous, next);
  const sets = { ...offer, cells: new Set(), withdraw };
  let all = [];
  let position = 0;

  function step(text, by, label) {
    return button(text, (event) => isEnabled(event.currentTarget) && go(position + by), { "aria-label": label });
  }

  function show(box, answer) {
    all = answer.sets;
    const number = `${answer.complete ? "" : "at least "}${grouped(all.length)} ${all.length === 1 ? "set" : "sets"}`;
    const text = sentence(`${number} of up to ${answer.most_cells} cells`);
    const head = make("p", { text: all.length ? `${text} ${LEGEND}` : text });
    fill(box, head, all.length ? steps : null, all.length ? place : null);
    if (all.length) go(0);
  }

  function go(wanted) {
    position = wanted;
    const { cells, clues } = all[position];
    sets.cells = new Set(cells.map((cell) => page.board.cellAt(cell)));
    const among = clues.length === 1 ? `${clues[0]} is its only clue` : `${clues.length} are clues`;
    say(place, `Set ${grouped(position + 1)} of ${grouped(all.length)}: ${cells.length} cells, ${among}.`);
    enable(previous, position > 0);
    enable(next, position < all.length - 1);
    page.redraw();
  }

  function withdraw() {
    sets.cells = new Set();
    offer.withdraw();
  }

  return sets;
}
