/** Differences of two texts, word by word: their longest common subsequence. */

/** More words than this on both sides together are compared line by line. */
const MOST_WORDS = 4000;
const MOST_LINES = 4000;

/** @typedef {{kind: 'same'|'gone'|'added', text: string}} Part */

/**
 * @param {string} before
 * @param {string} after
 * @return {Array<Part>} which make both texts
 */
export function difference(before, after) {
  if (before === after) return before ? [{kind: 'same', text: before}] : [];
  const words = (/** @type {string} */ text) => text.match(/\s+|[^\s]+/g) ?? [];
  const lines = (/** @type {string} */ text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  let [a, b] = [words(before), words(after)];
  if (a.length + b.length > MOST_WORDS) [a, b] = [lines(before), lines(after)];
  if (a.length + b.length > MOST_LINES) return [{kind: 'gone', text: before}, {kind: 'added', text: after}];
  return merged(aligned(a, b));
}

/**
 * @param {Array<string>} a
 * @param {Array<string>} b
 * @return {Array<Part>}
 */
function aligned(a, b) {
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  /** @type {Array<Part>} */ const parts = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({kind: 'same', text: a[i++]});
      j++;
    } else if (j === b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      parts.push({kind: 'gone', text: a[i++]});
    } else {
      parts.push({kind: 'added', text: b[j++]});
    }
  }
  return parts;
}

/** @param {Array<Part>} parts */
function merged(parts) {
  /** @type {Array<Part>} */ const all = [];
  for (const part of parts) {
    const last = all[all.length - 1];
    if (last?.kind === part.kind) last.text += part.text;
    else all.push({...part});
  }
  return all;
}
