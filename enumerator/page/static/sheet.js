/* Small boards that are only looked at, and the page of them that is printed. */

import { button, make } from "./dom.js";

/* Return a board as a picture. */
export function drawBoard(board, label) {
  const cells = board.cells.map((digit, cell) => {
    const names = [
      board.row(cell) && board.row(cell) % board.height === 0 ? "box-top" : "",
      board.column(cell) && board.column(cell) % board.width === 0 ? "box-left" : "",
    ];
    return make("span", { class: names.join(" ").trim(), text: digit ? board.symbol(digit) : "" });
  });
  const grid = make("div", { class: "small-cells" }, ...cells);
  grid.style.setProperty("--size", board.size);
  return make("div", { class: "small-board", role: "img", "aria-label": label }, grid);
}

/* Show puzzles as they will be printed: while this is open, nothing else is on paper. */
export function showSheet(puzzles, text) {
  const figures = puzzles.map(({ board, facts }, index) =>
    make(
      "figure",
      {},
      drawBoard(board, `Puzzle ${index + 1}, ${facts}`),
      make("figcaption", { text: `${index + 1}: ${facts}` }),
    ),
  );
  const print = button("Print", () => window.print(), { id: "print", class: "primary" });
  const close = button("Close", () => dialog.close(), { id: "close-sheet" });
  const title = make("p", { id: "sheet-title", text });
  const top = make("div", { class: "sheet-top" }, title, make("div", { class: "tools" }, print, close));
  const sheet = make("div", { class: "sheet" }, ...figures);
  const dialog = make("dialog", { id: "sheet", "aria-labelledby": "sheet-title" }, top, sheet);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
