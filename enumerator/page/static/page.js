/* The page: the board that is shown, what is known of it, and the views.

   A view is one module with `export function makeNAME(page)`, which returns an object:

       name, title      of its tab
       panel            an element: what the view shows beside the board
       open(), close()  its tab was selected, or another one
       onBoard()        the board is another one: everything that was known of the last one is void
       onVerdict()      `page.verdict` is known now
       onCount()        `page.count` has changed: counting, done, cut off
       onSelect(cell)   another cell is selected
       onKey(event)     a key in the grid; true if the view has used it
       look(cell)       what the grid shows in a cell, in the terms of grid.js; `page.look(cell)` is the board as it is

   All but the first three are optional. They are called for the open view only; opening one calls
   open(), onBoard(), and onVerdict() and onCount() if these are known. To add a view, see tabs.js.

   What a view may use of `page`: `board` (board.js), `verdict` (the answer of /api/classify, or null), `count`
   (counts.js, or null), `grid`, `ask(name, options)` (ask.js: null if the board has changed since),
   `stop(slot)`, `place(cell, digit)`, `change(board, how)`, `redraw()`, `look(cell)`, `say(text, isError)`. */

import { makeAddress } from "./address.js";
import { Asker } from "./ask.js";
import { Board, History } from "./board.js";
import { makeCopy } from "./copy.js";
import { makeCounts } from "./counts.js";
import { say } from "./dom.js";
import { makeEntry } from "./entry.js";
import { makeForm } from "./form.js";
import { Grid } from "./grid.js";
import { makeSizes } from "./sizes.js";
import { makeTabs } from "./tabs.js";
import { makeVerdict } from "./verdict.js";

const byId = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.history = new History(new Board(3, 3));
    this.asker = new Asker();
    this.grid = new Grid(byId("grid"), {
      onSelect: (cell) => this.tell("onSelect", cell),
      onPick: (cell, digit) => this.place(cell, digit),
    });
    this.view = null;
    this.grid.setBoard(this.board);
    this.verdictBox = makeVerdict(byId("verdict"), this);
    this.counts = makeCounts(byId("count"), byId("progress"), this);
    this.form = makeForm(byId("form"), this);
    this.sizes = makeSizes(byId("size"), this);
    this.entry = makeEntry(this);
    this.address = makeAddress(this);
    makeCopy(this);
    byId("undo").addEventListener("click", () => this.undo());
    byId("redo").addEventListener("click", () => this.redo());
    byId("clear").addEventListener("click", () => this.clear());
    this.openView = makeTabs(byId("tabs"), byId("panels"), this, (view) => this.opened(view));
  }

  async start() {
    const { board, message } = await this.address.read();
    if (board) this.history = new History(board);
    this.boardChanged();
    this.say(message, !board);
    this.openView("board");
    this.grid.focus();
    document.documentElement.dataset.ready = "true";
  }

  get board() {
    return this.history.board;
  }

  get verdict() {
    return this.verdictBox.answer;
  }

  get count() {
    return this.counts.count;
  }

  ask(name, options) {
    return this.asker.ask(name, options);
  }

  stop(slot) {
    this.asker.stop(slot);
  }

  /* Show another board. `how`: "key" for one cell, "merge" for the same cell again, "new" for another
     board (a step of the browser's history), "address" for a board that the address has named. */
  change(board, how = "key") {
    if (board.equals(this.board)) {
      this.sizes.show(board);
      return;
    }
    this.history.change(board, how === "merge");
    this.boardChanged();
    if (how === "new") this.address.push(board);
    else if (how !== "address") this.address.replace(board);
  }

  place(cell, digit, how = "key") {
    this.change(this.board.with(cell, digit), how);
  }

  undo() {
    if (this.history.undo()) this.stepped();
  }

  redo() {
    if (this.history.redo()) this.stepped();
  }

  clear() {
    this.change(new Board(this.board.height, this.board.width), "new");
    this.grid.focus();
  }

  stepped() {
    this.boardChanged();
    this.address.replace(this.board);
  }

  boardChanged() {
    this.asker.setBoard(this.board);
    this.say("");
    this.grid.setBoard(this.board);
    this.sizes.show(this.board);
    this.entry.showBoard(this.board);
    byId("undo").disabled = !this.history.past.length;
    byId("redo").disabled = !this.history.future.length;
    byId("clear").disabled = this.board.isEmpty;
    this.counts.reset();
    this.verdictBox.judge();
    this.form.find();
    this.tell("onBoard");
    this.redraw();
  }

  verdictKnown() {
    this.counts.begin();
    this.tell("onVerdict");
    this.redraw();
  }

  countChanged() {
    this.tell("onCount");
  }

  opened(view) {
    this.view?.close?.();
    this.view = view;
    document.documentElement.dataset.view = view.name;
    this.tell("open");
    this.tell("onBoard");
    if (this.verdict) this.tell("onVerdict");
    if (this.count) this.tell("onCount");
    this.redraw();
  }

  tell(what, ...values) {
    return this.view?.[what]?.(...values);
  }

  redraw() {
    this.grid.draw((cell) => this.view?.look?.(cell) ?? this.look(cell));
  }

  /* The board as it is: clues, pencil marks, conflicts. */
  look(cell) {
    const { board } = this;
    const digit = board.cells[cell];
    const isConflict = this.verdictBox.conflictCells.has(cell);
    const classes = isConflict ? ["conflict"] : [];
    if (digit) {
      const label = `${board.symbol(digit)}, a clue${isConflict ? ", in conflict" : ""}`;
      return { text: board.symbol(digit), kind: "clue", classes, label };
    }
    const marks = board.marks?.[cell];
    if (!marks) return { classes, label: isConflict ? "empty, in conflict" : "empty" };
    const label = `empty, marks ${marks.map((mark) => board.symbol(mark)).join(" ")}`;
    return { marks: marks.map((mark) => ({ digit: mark })), classes, label };
  }

  say(text, isError = false) {
    const message = byId("message");
    message.classList.toggle("error", isError);
    say(message, text);
  }
}

new Page().start();
