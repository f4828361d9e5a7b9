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

/* A text with a capital, unless it begins with the name of a cell. */
export function capital(text) {
  return /^r\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/* A message of the server as a sentence: with a capital, and a full stop. */
export function sentence(message) {
  const text = capital(message ?? "");
  return text && `${text}${/[.!?]$/.test(text) ? "" : "."}`;
}

export function solutionsWord(digits) {
  return String(digits) === "1" ? "solution" : "solutions";
}

/* The share of `part` in `whole`, two strings of digits, as a number from 0 to 1. It is 0 for nothing only. */
export function shareOf(part, whole) {
  if (part === "0") return 0;
  const millionths = Number((BigInt(part) * 1_000_000n) / BigInt(whole));
  return Math.max(1, millionths) / 1_000_000;
}

/* A share in percent: 77 %, 0.02 %, less than 0.01 %. */
export function percent(share) {
  const value = 100 * share;
  if (value === 0 || value === 100) return `${value} %`;
  if (value < 0.01) return "less than 0.01 %";
  if (value < 1) return `${value.toPrecision(2)} %`;
  return value > 99 ? `${Math.min(value, 99.9).toFixed(1)} %` : `${value.toFixed(0)} %`;
}

/* The share of a question at work that is done, in percent. It is rounded down, and never 100 %: there is no answer yet. */
export function percentDone(share) {
  const value = Math.min(100 * share, 99.9);
  if (!(value > 0)) return "0 %";
  if (value < 0.001) return "less than 0.001 %";
  const places = value < 0.1 ? 3 : value < 1 ? 2 : 1;
  return `${(Math.floor(value * 10 ** places) / 10 ** places).toFixed(places)} %`;
}

/* The place on the scale of the heat map of `part` in `whole`, two strings of digits: up to 1 to 10 tenths, 0 for none. */
export function shadeOf(part, whole) {
  return Number((10n * BigInt(part) + BigInt(whole) - 1n) / BigInt(whole));
}

/* An estimate, as a server's interval has it, in words: about 4.9 × 10^37. Null if there is none. */
export function roughly(interval) {
  const power = interval?.log10?.mean;
  if (power === null || power === undefined) return null;
  if (power < 6) return grouped(Math.round(10 ** power));
  const [factor, exponent] = (10 ** (power % 1)).toExponential(1).split("e").map(Number); // 9.96 is 1.0 × 10
  return `${factor.toFixed(1)} × 10^${Math.floor(power) + exponent}`;
}
