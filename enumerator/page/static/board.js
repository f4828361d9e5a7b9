/* The model: a board that never changes, and the history of the boards that were shown.

   A board has boxes of `height` × `width` cells and `size` = height · width digits. Cells are numbered
   row by row from 0, digits from 1; 0 is an empty cell. `marks` are the digits that an empty cell
   allows (pencil marks): null for a board without any, else one array of digits or null a cell.

   Text: one symbol a cell, "." for an empty one. A board with marks has `size` symbols a cell: each
   digit that the cell allows, "." for each other one. The server reads both.

   No rule of Sudoku lives here but the names of rows, columns and boxes: questions go to the server. */

export const SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@$&";

export const LARGEST = 64;

/* The number of digits up to which the case of a letter means nothing. */
const CAPITALS = SYMBOLS.indexOf("Z") + 1;

const EMPTY = ".0_*?·";

export class Board {
  constructor(height, width, cells, marks = null) {
    this.height = height;
    this.width = width;
    this.size = height * width;
    this.cells = cells ?? new Array(this.size ** 2).fill(0);
    this.marks = marks?.some((allowed) => allowed) ? marks : null;
    this.symbols = SYMBOLS.slice(0, this.size);
    Object.freeze(this);
  }

  /* The board of an answer of /api/read. */
  static fromAnswer({ box: [height, width], cells, allowed }) {
    const size = height * width;
    const marks = allowed?.map((digits, cell) => (cells[cell] || digits.length === size ? null : digits));
    return new Board(height, width, cells, marks ?? null);
  }

  /* The board of a text with one symbol a cell, or null if it is another text. */
  static fromText(height, width, text) {
    const size = height * width;
    if (text.length !== size ** 2) return null;
    const cells = [...text].map((symbol) => digitOf(symbol, size));
    return cells.includes(null) ? null : new Board(height, width, cells);
  }

  get shape() {
    return `${this.height}x${this.width}`;
  }

  get text() {
    if (!this.marks) return this.cells.map((digit) => this.symbol(digit)).join("");
    return this.cells.map((_, cell) => this.allowedText(cell)).join("");
  }

  get clues() {
    return this.cells.filter((digit) => digit).length;
  }

  get isEmpty() {
    return !this.marks && this.clues === 0;
  }

  allowedText(cell) {
    const allowed = this.cells[cell] ? [this.cells[cell]] : this.marks[cell];
    return [...this.symbols].map((symbol, bit) => (!allowed || allowed.includes(bit + 1) ? symbol : ".")).join("");
  }

  symbol(digit) {
    return digit ? SYMBOLS[digit - 1] : ".";
  }

  row(cell) {
    return Math.floor(cell / this.size);
  }

  column(cell) {
    return cell % this.size;
  }

  box(cell) {
    return Math.floor(this.row(cell) / this.height) * this.height + Math.floor(this.column(cell) / this.width);
  }

  /* The name of a cell: r1c2 is row 1, column 2. */
  place(cell) {
    return `r${this.row(cell) + 1}c${this.column(cell) + 1}`;
  }

  /* The number of the cell with a name. */
  cellAt(place) {
    const [, row, column] = /^r(\d+)c(\d+)$/.exec(place);
    return (row - 1) * this.size + (column - 1);
  }

  seesEachOther(one, other) {
    return (
      this.row(one) === this.row(other) || this.column(one) === this.column(other) || this.box(one) === this.box(other)
    );
  }

  with(cell, digit) {
    const cells = [...this.cells];
    cells[cell] = digit;
    return new Board(this.height, this.width, cells, this.marks);
  }

  equals(other) {
    return this.shape === other.shape && this.text === other.text;
  }
}

/* The digit that a symbol means on a board of `size` digits: 0 for an empty cell, null for none. */
export function digitOf(symbol, size) {
  if (EMPTY.includes(symbol)) return 0;
  const folded = size <= CAPITALS ? symbol.toUpperCase() : symbol;
  const digit = folded.length === 1 ? SYMBOLS.indexOf(folded) + 1 : 0;
  return digit >= 1 && digit <= size ? digit : null;
}

/* The boards before and after the present one. `change` drops those after it. */
export class History {
  constructor(board) {
    this.board = board;
    this.past = [];
    this.future = [];
  }

  /* Show another board. With `merge` it replaces the present one: one step to undo, not two. */
  change(board, merge = false) {
    if (!merge) this.past.push(this.board);
    this.board = board;
    this.future = [];
  }

  undo() {
    if (!this.past.length) return false;
    this.future.push(this.board);
    this.board = this.past.pop();
    return true;
  }

  redo() {
    if (!this.future.length) return false;
    this.past.push(this.board);
    this.board = this.future.pop();
    return true;
  }
}
