/* Questions to the server, and the boards they are about.

   A question is POST /api/NAME with a JSON object; the answer is lines of JSON, each with a `kind`:
   progress and heartbeat, then exactly one of answer, stopped, error. `Asker` binds questions to the
   board that is shown: a new board ends all of them, and nothing of an older board is ever delivered. */

const LOST = {
  kind: "error",
  code: "lost",
  message: "The server does not answer. Is enumerate --serve still running?",
};

/* Ask one question. Returns the last line, or null if `signal` has ended it. */
export async function ask(name, body, { signal, onProgress } = {}) {
  let last = null;
  try {
    const response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    for await (const line of lines(response.body)) {
      if (signal?.aborted) return null;
      if (line.kind === "progress") onProgress?.(line);
      else if (line.kind !== "heartbeat") last = line;
    }
  } catch {
    return signal?.aborted ? null : LOST; // a network error or an answer that is cut off
  }
  return signal?.aborted ? null : last ?? LOST;
}

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const parts = (rest + (value ?? "")).split("\n");
    rest = done ? "" : parts.pop();
    for (const part of parts) if (part.trim()) yield JSON.parse(part);
    if (done) return;
  }
}

/* The questions about the board that is shown, at most one a slot. */
export class Asker {
  constructor() {
    this.board = null;
    this.slots = new Map();
  }

  /* Show another board: every question about the last one ends. */
  setBoard(board) {
    this.board = board;
    for (const slot of [...this.slots.keys()]) this.stop(slot);
  }

  stop(slot) {
    this.slots.get(slot)?.abort();
    this.slots.delete(slot);
  }

  isAsking(slot) {
    return this.slots.has(slot);
  }

  /* Ask about the board. Ends the last question of `slot`. Returns null if this one was ended. */
  async ask(name, { slot = name, onProgress, ...others } = {}) {
    this.stop(slot);
    const controller = new AbortController();
    this.slots.set(slot, controller);
    const { board } = this;
    const body = { board: board.text, shape: board.shape, ...others };
    const last = await ask(name, body, { signal: controller.signal, onProgress });
    if (this.slots.get(slot) === controller) this.slots.delete(slot);
    return controller.signal.aborted || board !== this.board ? null : last;
  }
}
