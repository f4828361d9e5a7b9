/* Numbers and messages in words. Counts are strings of digits, since they may be beyond 2^53. */

import { make } from "./dom.js";

/* A whole number with separators: 6,670,903. */
export function grouped(digits) {
  return String(digits).replace(/\B(?=(\d{3})+$)/g, ",");
}

/* An element with a whole number that may be broken after its separators, and nowhere else. */
export function numberElement(digits, name = "span") {
  const groups = grouped(digits).split(",");
  const parts = groups.flatMap((group, index) => (index ? [make("wbr"), group] : [group]));
  const texts = parts.map((part, index) => (typeof part === "string" && index < parts.length - 1 ? `${part},` : part));
  return make(name, { class: "number", "data-value": String(digits) }, ...texts);
}

/* A message of the server as a sentence: with a capital, and a full stop. */
export function sentence(message) {
  const text = message ?? "";
  return text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

export function solutionsWord(digits) {
  return String(digits) === "1" ? "solution" : "solutions";
}

/* The share of `part` in `whole`, two strings of digits, as a number from 0 to 1. */
export function shareOf(part, whole) {
  const total = BigInt(whole);
  return total ? Number((BigInt(part) * 1_000_000n) / total) / 1_000_000 : 0;
}

/* A share in percent: 77 %, 0.02 %, less than 0.01 %. */
export function percent(share) {
  const value = 100 * share;
  if (value === 0 || value === 100) return `${value} %`;
  if (value < 0.01) return "less than 0.01 %";
  if (value < 1) return `${value.toPrecision(2)} %`;
  return value > 99 ? `${Math.min(value, 99.9).toFixed(1)} %` : `${value.toFixed(0)} %`;
}

/* The place of a share on the scale of the heat map: 1 to 10, 0 for none. */
export function shadeOf(share) {
  return share > 0 ? Math.max(1, Math.min(10, Math.ceil(share * 10))) : 0;
}

/* An estimate, as a server's interval has it, in words: about 4.9 × 10^37. Null if there is none. */
export function roughly(interval) {
  const power = interval?.log10?.mean;
  if (power === null || power === undefined) return null;
  if (power < 6) return grouped(Math.round(10 ** power));
  const exponent = Math.floor(power);
  return `${(10 ** (power - exponent)).toFixed(1)} × 10^${exponent}`;
}
