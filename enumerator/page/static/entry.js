/* Entry: keys in the grid, the keypad, paste.

   Beyond 9 digits, a letter is one digit (A is 10), and two figures in a row are one number: 1 is shown at once,
   and 12 if a 2 follows. A pause or Enter ends a number. */

import { ask } from "./ask.js";
import { named } from "./address.js";
import { Board, digitOf } from "./board.js";
import { button, say } from "./dom.js";
import { sentence } from "./numbers.js";

/* The pause in milliseconds that ends a number of two figures. */
const PAUSE = 1000;

const CLEARING = new Set(["Backspace", "Delete", " "]);

export function makeEntry(page) {
  const table = page.grid.table;
  const keypad = document.getElementById("keypad");
  const dialog = document.getElementById("paste");
  const textarea = document.getElementById("paste-text");
  const refusalBox = document.getElementById("paste-error");
  let begun = null; // a number whose second figure may follow: {board, cell, figure, isNew}
  let timer = 0;
  let keys = "";
  let readings = 0;

  function endNumber() {
    clearTimeout(timer);
    begun = null;
  }

  function type(digit, how = "key") {
    const cell = page.grid.selected;
    const isNew = page.board.cells[cell] !== digit;
    page.place(cell, digit, how);
    return isNew;
  }

  /* Type a figure on a board with more than nine digits. */
  function typeFigure(figure) {
    const { size } = page.board;
    const cell = page.grid.selected;
    const isSecond = begun?.cell === cell && begun.board === page.board;
    const number = isSecond ? 10 * begun.figure + figure : 0;
    if (number && number <= size) {
      const how = begun.isNew ? "merge" : "key";
      endNumber();
      type(number, how);
      return;
    }
    endNumber();
    const isNew = type(figure);
    if (figure && 10 * figure <= size) {
      begun = { board: page.board, cell, figure, isNew };
      timer = setTimeout(endNumber, PAUSE);
    }
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (["Home", "End"].includes(event.key)) move(event);
      return;
    }
    if (move(event)) return;
    const isUsed = CLEARING.has(event.key) ? erase() : event.key === "Enter" ? endNumber() ?? true : enter(event);
    if (isUsed) event.preventDefault();
  }

  function move(event) {
    const cell = page.grid.cellAfter(event.key, event.ctrlKey || event.metaKey);
    if (cell === null) return false;
    event.preventDefault();
    endNumber();
    page.grid.select(cell, true);
    return true;
  }

  function enter(event) {
    if (event.key.length !== 1) return false;
    const digit = digitOf(event.key, page.board.size);
    if (page.board.size > 9 && /\d/.test(event.key)) typeFigure(Number(event.key));
    else if (digit !== null) type(digit);
    else return (page.grid.hasFocus && page.tell("onKey", event)) || false;
    return true;
  }

  function erase() {
    endNumber();
    type(0);
    return true;
  }

  /* A digit that is typed while nothing has the focus is meant for the grid. */
  function onStrayKey(event) {
    const isDigit = event.key.length === 1 && digitOf(event.key, page.board.size) !== null;
    if (event.target !== document.body || event.ctrlKey || event.metaKey || event.altKey || !isDigit || isDialog()) return;
    event.preventDefault();
    page.grid.focus();
    enter(event);
  }

  function onShortcut(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target) || isDialog()) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) page.undo();
    else if (key === "y" || key === "z") page.redo();
    else return;
    event.preventDefault();
    endNumber();
  }

  /* Show the keypad of a board. A press of the mouse leaves the focus where it is. */
  function showBoard(board) {
    if (keys === board.symbols) return;
    keys = board.symbols;
    const digits = [...board.symbols].map((symbol, index) => button(symbol, () => press(index + 1)));
    keypad.replaceChildren(...digits, button("Erase", () => press(0), { class: "erase" }));
    keypad.style.setProperty("--keys", evenRow(board.size + 1, 10));
    keypad.style.setProperty("--keys-narrow", evenRow(board.size + 1, 6));
  }

  function press(digit) {
    endNumber();
    type(digit);
  }

  /* Read a text on the server, and show its board. Returns why it cannot be read; "" if it was read, or if the board is
     not wanted any more: another text was pasted since, or `isWanted` is false. */
  async function read(text, isWanted = () => true) {
    readings += 1;
    const mine = readings;
    const last = await ask("read", named(text));
    if (mine !== readings || !isWanted()) return "";
    if (last.kind !== "answer") return sentence(last.message);
    dialog.close();
    keep("", "");
    page.change(Board.fromAnswer(last.answer), "new");
    page.grid.focus();
    page.say((last.answer.messages ?? []).map(sentence).join(" "));
    return "";
  }

  /* Keep a text in the dialog until one is read, and why it cannot be. */
  function keep(text, refusal) {
    textarea.value = text;
    say(refusalBox, refusal);
  }

  async function onPaste(event) {
    const text = event.clipboardData?.getData("text/plain");
    if (isText(event.target) || isDialog() || !text) return;
    event.preventDefault();
    const refusal = await read(text);
    if (!refusal) return;
    if (!isDialog()) keep(text, refusal);
    page.say(`${refusal} The text is under Paste…`, true);
  }

  function openDialog() {
    dialog.returnValue = "";
    dialog.showModal();
    textarea.focus();
    textarea.select(); // another text takes the place of the one that was kept
  }

  /* Read the text of the dialog, which stays open with a text that cannot be read. */
  async function onSubmit(event) {
    const text = textarea.value;
    if (event.submitter?.value === "cancel" || !text.trim()) return;
    event.preventDefault();
    say(refusalBox, "");
    const refusal = await read(text, () => dialog.open);
    if (!refusal) return;
    say(refusalBox, refusal);
    textarea.focus();
  }

  table.addEventListener("keydown", onKey);
  keypad.addEventListener("mousedown", (event) => event.preventDefault());
  document.addEventListener("keydown", onShortcut);
  document.addEventListener("keydown", onStrayKey);
  document.addEventListener("paste", onPaste);
  document.getElementById("open-paste").addEventListener("click", openDialog);
  dialog.querySelector("form").addEventListener("submit", onSubmit);

  return { showBoard };
}

/* The length of rows of at most `most` keys that are about equally long. */
function evenRow(keys, most) {
  return Math.ceil(keys / Math.ceil(keys / most));
}

function isText(element) {
  return element instanceof Element && element.closest("input:is([type='text'], [type='number']), textarea") !== null;
}

/* True while a dialog is open: the board behind it does not change. */
function isDialog() {
  return document.querySelector("dialog[open]") !== null;
}
