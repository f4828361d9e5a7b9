/* The views of the page, and their tabs. To add a view: import it, and add it to VIEWS.

   The tabs follow the ARIA pattern: arrows, Home and End move between them, Tab leaves them. */

import { makeCandidates } from "./candidates.js";
import { makeClues } from "./clues.js";
import { make } from "./dom.js";
import { makeOverview } from "./overview.js";
import { makePuzzles } from "./puzzles.js";
import { makeSolutions } from "./solutions.js";
import { makeWatch } from "./watch.js";

const VIEWS = [makeOverview, makeCandidates, makeClues, makeSolutions, makeWatch, makePuzzles];

/* Fill `list` with a tab and `panels` with a panel for each view of `page`. Returns a function that opens one. */
export function makeTabs(list, panels, page, onOpen) {
  const views = VIEWS.map((makeView) => makeView(page));
  const tabs = views.map(({ name, title }) =>
    make("button", {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      "aria-controls": `panel-${name}`,
      text: title,
      on: { click: () => open(name), keydown: (event) => move(event, name) },
    }),
  );
  const boxes = views.map(({ name, panel }) =>
    make("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, class: "panel" }, panel),
  );
  list.replaceChildren(...tabs);
  panels.replaceChildren(...boxes);

  function open(name) {
    for (const [index, view] of views.entries()) {
      const isOpen = view.name === name;
      tabs[index].setAttribute("aria-selected", String(isOpen));
      tabs[index].tabIndex = isOpen ? 0 : -1;
      boxes[index].hidden = !isOpen;
    }
    onOpen(views.find((view) => view.name === name));
  }

  function move(event, name) {
    const here = views.findIndex((view) => view.name === name);
    const last = views.length - 1;
    const to = { ArrowRight: here === last ? 0 : here + 1, ArrowLeft: here ? here - 1 : last, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs[to].focus();
    open(views[to].name);
  }

  return open;
}
