/* The choice of sizes. A board of the same size keeps its clues, another one begins empty. */

import { Board } from "./board.js";
import { make } from "./dom.js";

/* Height and width of boxes, by the number of digits. Others come by paste and join the list. */
const BOXES = [
  [2, 2], [2, 3], [3, 2], [2, 4], [4, 2], [3, 3], [2, 5], [5, 2], [3, 4], [4, 3], [2, 6], [6, 2],
  [3, 5], [5, 3], [4, 4], [2, 8], [8, 2], [3, 6], [6, 3], [4, 5], [5, 4], [4, 6], [6, 4], [5, 5],
];

export function makeSizes(select, page) {
  select.replaceChildren(...BOXES.map(([height, width]) => makeOption(height, width)));
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

function makeOption(height, width) {
  const size = height * width;
  return make("option", { value: `${height}x${width}`, text: `${size}×${size} (${height}×${width})` });
}
