/* The record of a board solved step by step, as /api/steps answers it, and its state at each position.

   Position p is that after p steps; 0 is the start. A step changes the state by facts alone, so that
   going forward and back needs neither the server nor a rule of Sudoku. A dead end shows the
   contradiction; the step after it begins with the state before the guess that the dead end refutes.

       cells    the digit of each cell, 0 for an empty one
       masks    the candidates of each cell, bit d - 1 for digit d
       origins  of each cell, how its digit came: CLUE, CERTAIN, GUESS, TENTATIVE (it depends on a guess)
       guesses  those on which the state depends: [{number, cell, digit, before}, …] */

export const CLUE = 0;
export const CERTAIN = 1;
export const TENTATIVE = 2;
export const GUESS = 3;

const bit = (digit) => 1 << (digit - 1);

const maskOf = (digits) => digits.reduce((mask, digit) => mask | bit(digit), 0);

/* The digits of a mask. */
export function digitsOf(mask) {
  const digits = [];
  for (let digit = 1; mask; digit += 1, mask >>>= 1) if (mask & 1) digits.push(digit);
  return digits;
}

export class Record {
  constructor(board, answer) {
    this.board = board;
    this.answer = answer;
    this.steps = answer.steps;
    this.start = {
      cells: Uint8Array.from(board.cells),
      masks: Int32Array.from(answer.candidates, maskOf),
      origins: new Uint8Array(board.cells.length),
      guesses: [],
      deadEnd: false,
    };
    this.rewind();
  }

  get length() {
    return this.steps.length;
  }

  rewind() {
    this.state = copy(this.start);
    this.position = 0;
    this.removed = new Map();
  }

  /* Go to a position. Then `state` is the one there, and `removed` has the candidates that its step
     removes: digits by cell. */
  go(position) {
    if (position < this.position) this.rewind();
    while (this.position < position) this.apply(this.steps[this.position]);
  }

  /* The step that leads to the present position; null at the start. */
  get step() {
    return this.steps[this.position - 1] ?? null;
  }

  apply(step) {
    this.position += 1;
    if (this.state.deadEnd) this.state = this.state.guesses.at(-1).before;
    this.removed = removedBy(step, this.state);
    const { cells, masks, origins, guesses } = this.state;
    if (step.kind === "place") {
      const { cell, digit } = step;
      const isGuess = step.rule === "guess";
      if (isGuess) guesses.push({ number: this.position, cell, digit, before: copy(this.state) });
      cells[cell] = digit;
      masks[cell] = 0;
      origins[cell] = isGuess ? GUESS : step.depth ? TENTATIVE : CERTAIN;
    } else if (step.kind === "dead end" && step.back_to !== null) {
      this.state.deadEnd = true;
    }
    for (const [cell, digits] of this.removed) masks[cell] &= ~maskOf(digits);
  }

  /* The cells of the unit that a step names: "row 2", "column 3", "box 4". */
  unitCells(name) {
    const [kind, number] = name.split(" ");
    return this.board.cells.map((_, cell) => cell).filter((cell) => this.board[kind](cell) === number - 1);
  }
}

function removedBy(step, { masks }) {
  if (step.kind === "place") return new Map(step.removed.map((cell) => [cell, [step.digit]]));
  if (step.kind !== "remove") return new Map();
  const mask = maskOf(step.digits);
  return new Map(step.cells.map((cell) => [cell, digitsOf(masks[cell] & mask)]));
}

function copy({ cells, masks, origins, guesses }) {
  return { cells: cells.slice(), masks: masks.slice(), origins: origins.slice(), guesses: [...guesses], deadEnd: false };
}
