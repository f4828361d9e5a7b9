/* The choices of sizes: that of the board, which keeps its clues if the size is the same and else begins empty; others. */

import { Board } from "./board.js";
import { make } from "./dom.js";

/* The largest size in the list. Larger boards come by paste and join it. */
const LARGEST = 25;

const SIDES = [2, 3, 4, 5, 6, 7, 8];

/* Height and width of boxes, by the number of digits; of the same number, the most like a square first. */
const BOXES = SIDES.flatMap((height) => SIDES.map((width) => [height, width]))
  .filter(([height, width]) => height * width <= LARGEST)
  .sort(([a, b], [c, d]) => a * b - c * d || Math.abs(a - b) - Math.abs(c - d) || a - c);

export function makeSizes(select, page) {
  fillSizes(select);
  select.addEventListener("change", () => {
    const [height, width] = select.value.split("x").map(Number);
    const { board } = page;
    const isSameSize = height * width === board.size;
    page.change(new Board(height, width, isSameSize ? board.cells : null, isSameSize ? board.marks : null), "new");
  });

  return {
    show(board) {
      if (![...select.options].some((option) => option.value === board.shape)) {
        select.append(makeOption(board.height, board.width));
      }
      select.value = board.shape;
    },
  };
}

/* Fill a choice with the usual sizes. */
export function fillSizes(select) {
  select.replaceChildren(...BOXES.map(([height, width]) => makeOption(height, width)));
}

function makeOption(height, width) {
  const size = height * width;
  return make("option", { value: `${height}x${width}`, text: `${size}×${size} (${height}×${width})` });
}
