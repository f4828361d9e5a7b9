/* The board in the address: #3x3/53..7….

   The part before the slash is the height and width of a box, the part after it the text of the board (board.js).
   A text that is pasted may be such an address. A fragment of another form is text that the server reads: #53..7…
   is a board, too. Another board is a step of the browser's history; single keys replace the present one. */

import { ask } from "./ask.js";
import { Board, LARGEST } from "./board.js";
import { sentence } from "./numbers.js";

/* Single keys reach the address after this time in milliseconds: browsers limit changes a second. */
const PAUSE = 100;

export function makeAddress(page) {
  let waiting = null;
  let timer = 0;

  function fragment(board) {
    return `#${board.shape}/${board.text}`;
  }

  /* The whole address of the board that is shown. */
  function link() {
    return new URL(fragment(page.board), window.location).href;
  }

  function flush() {
    clearTimeout(timer);
    if (!waiting) return;
    window.history.replaceState(null, "", fragment(waiting));
    waiting = null;
  }

  function replace(board) {
    waiting = board;
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE);
  }

  function push(board) {
    flush();
    window.history.pushState(null, "", fragment(board));
  }

  /* The board that the address names, or null, and a message about it. */
  async function read() {
    const text = decoded(window.location.hash.slice(1));
    if (!text) return { board: null, message: "" };
    const question = named(text);
    const [height, width] = (question.shape ?? "0x0").split("x").map(Number);
    const board = question.shape ? Board.fromText(height, width, question.board) : null;
    if (board) return { board, message: "" };
    const last = await ask("read", question);
    if (last.kind !== "answer") {
      return { board: null, message: sentence(`the board in the address cannot be read: ${last.message}`) };
    }
    return { board: Board.fromAnswer(last.answer), message: last.answer.messages.map(sentence).join(" ") };
  }

  async function goTo() {
    waiting = null;
    const { hash } = window.location;
    const { board, message } = hash ? await read() : { board: new Board(3, 3), message: "" };
    if (hash !== window.location.hash) return; // it has changed again
    if (board) page.change(board, "address");
    page.say(message, !board);
  }

  window.addEventListener("hashchange", goTo);
  window.addEventListener("pagehide", flush);

  return { read, replace, push, link };
}

/* What /api/read is asked about a text: a fragment, or the address of a page with one, names the shape of its board. */
export function named(text) {
  const fragment = /^\s*https?:\/\/[^\s#]*#(\dx\d\/\S+)\s*$/.exec(text)?.[1];
  const [, height, width, rest] = /^(\d)x(\d)\/(.*)$/s.exec(fragment ? decoded(fragment) : text) ?? [];
  const isShape = height >= 2 && width >= 2 && height * width <= LARGEST;
  return isShape ? { board: rest, shape: `${height}x${width}` } : { board: text };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % sign: the server says what is wrong with it
  }
}
