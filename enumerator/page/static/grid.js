/* The board on the page: a table with role=grid, one cell in the order of Tab, arrows between cells.

   The grid knows nothing of questions. A view tells it what to show in each cell by a function
   `look(cell)`, which returns an object; every field may be absent:

       text      the symbol in the middle of the cell
       kind      "clue" (bold), "found" (a digit of a solution: light, in another colour), "guess"
       marks     small digits at their places in the cell: [{digit, shade, kind}, …]; `shade` 1 to 10 is
                 a step of the heat map, `kind` a class, "pick" for a mark that can be clicked
       shade     1 to 10: a step of the heat map for the whole cell
       classes   further classes: "conflict", "superfluous", "target", "because", "dead"
       label     what a screen reader says after the place: "5, a clue" */

import { make } from "./dom.js";

/* The largest board whose cells have room for marks; on a narrow page it is scrolled. */
export const LARGEST_WITH_MARKS = 16;

export class Grid {
  /* `onSelect(cell)` is called after a cell was selected, `onPick(cell, digit)` for a click on a mark. */
  constructor(table, { onSelect, onPick }) {
    this.table = table;
    this.onSelect = onSelect;
    this.onPick = onPick;
    this.board = null;
    this.selected = 0;
    this.elements = [];
    this.keys = [];
    table.addEventListener("click", (event) => this.clicked(event));
    table.addEventListener("focusin", (event) => this.focused(event));
  }

  /* Show another board; its rows are made again if the shape is another one. */
  setBoard(board) {
    const isSame = this.board?.shape === board.shape;
    const { hasFocus } = this;
    this.board = board;
    if (isSame) return;
    this.build();
    if (hasFocus) this.focus();
  }

  build() {
    const { board } = this;
    this.keys = [];
    this.elements = board.cells.map((_, cell) => this.makeCell(cell));
    const rows = Array.from({ length: board.size }, (_, row) =>
      make("tr", { role: "row" }, ...this.elements.slice(row * board.size, (row + 1) * board.size)),
    );
    this.table.tBodies[0].replaceChildren(...rows);
    const style = this.table.parentElement.style;
    style.setProperty("--size", board.size);
    style.setProperty("--box-width", board.width);
    style.setProperty("--box-height", board.height);
    this.table.setAttribute("aria-label", `Board of ${board.size} rows and ${board.size} columns`);
    if (this.selected >= board.cells.length) this.selected = 0;
    this.select(this.selected, false);
  }

  makeCell(cell) {
    const { board } = this;
    const classes = [
      board.row(cell) % board.height === 0 && board.row(cell) ? "box-top" : "",
      board.column(cell) % board.width === 0 && board.column(cell) ? "box-left" : "",
    ];
    return make("td", { role: "gridcell", tabindex: -1, "data-cell": cell, "data-edge": classes.join(" ").trim() });
  }

  /* Draw each cell as `look` says; cells that look as before are left alone. */
  draw(look) {
    let hasMarks = false;
    for (const [cell, element] of this.elements.entries()) {
      const wanted = look(cell);
      hasMarks ||= Boolean(wanted.marks);
      const key = JSON.stringify(wanted);
      if (this.keys[cell] === key) continue;
      this.keys[cell] = key;
      this.drawCell(cell, element, wanted);
    }
    this.table.parentElement.classList.toggle("marked", hasMarks && this.board.size <= LARGEST_WITH_MARKS);
    this.highlight();
  }

  drawCell(cell, element, { text, kind, marks, shade, classes = [], label }) {
    const names = [...classes, element.dataset.edge, kind, shade ? `shade-${shade}` : ""];
    element.className = names.filter((name) => name).join(" ");
    element.setAttribute("aria-label", `${this.board.place(cell)}: ${label ?? "empty"}`);
    element.toggleAttribute("aria-invalid", false);
    if (classes.includes("conflict")) element.setAttribute("aria-invalid", "true");
    if (text) element.replaceChildren(make("span", { class: "digit", text }));
    else if (marks) element.replaceChildren(this.makeMarks(marks));
    else element.replaceChildren();
  }

  makeMarks(marks) {
    const byDigit = new Map(marks.map((mark) => [mark.digit, mark]));
    const elements = [...this.board.symbols].map((symbol, index) => {
      const mark = byDigit.get(index + 1);
      if (!mark) return make("span");
      const names = ["mark", mark.kind, mark.shade ? `shade-${mark.shade}` : ""].filter((name) => name);
      return make("span", { class: names.join(" "), text: symbol, "data-digit": mark.digit });
    });
    return make("span", { class: "marks" }, ...elements);
  }

  clicked(event) {
    const element = event.target.closest("td");
    if (!element) return;
    const cell = Number(element.dataset.cell);
    this.select(cell, true);
    const mark = event.target.closest(".mark.pick");
    if (mark) this.onPick(cell, Number(mark.dataset.digit));
  }

  focused(event) {
    const element = event.target.closest("td");
    if (element) this.select(Number(element.dataset.cell), false);
  }

  /* Select a cell: the one that keys, the keypad and the views mean. */
  select(cell, isFocused) {
    const isNew = cell !== this.selected;
    this.elements[this.selected]?.setAttribute("tabindex", "-1");
    this.selected = cell;
    this.elements[cell].setAttribute("tabindex", "0");
    this.highlight();
    if (isFocused) this.elements[cell].focus();
    if (isNew) this.onSelect(cell);
  }

  get hasFocus() {
    return this.table.contains(document.activeElement);
  }

  focus() {
    this.elements[this.selected].focus();
  }

  /* Mark the selected cell, those that it sees, and those with the same digit. */
  highlight() {
    const { board, selected } = this;
    const digit = board.cells[selected];
    for (const [cell, { classList }] of this.elements.entries()) {
      classList.toggle("selected", cell === selected);
      classList.toggle("peer", cell !== selected && board.seesEachOther(cell, selected));
      classList.toggle("same", cell !== selected && digit > 0 && board.cells[cell] === digit);
    }
  }

  /* The cell that a key of movement leads to from the selected one, or null for another key. */
  cellAfter(key, isFar) {
    const { size } = this.board;
    const row = this.board.row(this.selected);
    const column = this.board.column(this.selected);
    const last = size - 1;
    const to = {
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(last, row + 1), column],
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(last, column + 1)],
      Home: [isFar ? 0 : row, 0],
      End: [isFar ? last : row, last],
      PageUp: [Math.max(0, row - this.board.height), column],
      PageDown: [Math.min(last, row + this.board.height), column],
    }[key];
    return to ? to[0] * size + to[1] : null;
  }
}
