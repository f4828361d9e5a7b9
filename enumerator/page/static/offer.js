/* A button that asks a question about the board, its progress, and a box for the answer. */

import { button, fill, make } from "./dom.js";
import { sentence } from "./numbers.js";
import { makeProgress } from "./progress.js";

/* Return an offer to ask `name`. `show(box, answer)` fills the box. A question that is cancelled or refused is offered
   again, and says so; what else the view shows stays. */
export function makeOffer(page, { name, id, text, show }) {
  const progress = makeProgress({ label: text, onCancel: cancel });
  const box = make("div", { class: "block", "aria-live": "polite" });
  const element = make("div", { class: "offer" }, progress.element, box);

  /* Show the button, below a sentence. */
  function offer(message = "") {
    fill(box, make("p", { text: message }), button(text, begin, { id }));
  }

  async function begin() {
    progress.begin();
    const last = await page.ask(name, { onProgress: progress.update });
    if (!last) return;
    progress.end();
    if (last.kind === "answer") show(box, last.answer);
    else offer(sentence(last.message));
  }

  function cancel() {
    end();
    offer("Cancelled.");
    page.grid.focus();
  }

  function end() {
    page.stop(name);
    progress.end();
  }

  /* Say a sentence in place of the button, or nothing. */
  function withdraw(message = "") {
    end();
    fill(box, message ? make("p", { text: message }) : null);
  }

  return { element, offer, end, withdraw };
}
