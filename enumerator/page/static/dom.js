/* Making elements. Text becomes text nodes only: what a board holds is never read as HTML. */

/* Return a new element. `attributes`: `class`, `text`, `on` (listeners by event) or any attribute. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue; // an attribute that is absent
    if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else if (key === "on") listen(element, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function listen(element, listeners) {
  for (const [event, listener] of Object.entries(listeners)) element.addEventListener(event, listener);
}

export function button(text, onClick, attributes = {}) {
  return make("button", { type: "button", text, on: { click: onClick }, ...attributes });
}

/* Turn a button on or off. It keeps the focus, so that a key pressed once too often is not lost. */
export function enable(element, isOn) {
  element.setAttribute("aria-disabled", String(!isOn));
}

export function isEnabled(element) {
  return element.getAttribute("aria-disabled") !== "true";
}

/* Replace the contents of an element; null children are left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/* Set the text of an element, unless it says the same: a live region speaks of changes only. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
