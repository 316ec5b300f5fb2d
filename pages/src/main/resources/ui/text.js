import {html} from './lit.js';
import {difference} from './diff.js';

/** What models wrote, as text. */

/**
 * Two texts in one, word by word.
 * @param {string} before
 * @param {string} after
 */
export const words = (before, after) => difference(before, after).map(({kind, text}) =>
  kind === 'same' ? text : kind === 'gone' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`);

/**
 * A text with what was looked for marked.
 * @param {string} text
 * @param {string} wanted in any case; '' marks nothing
 */
export function marked(text, wanted) {
  if (!wanted) return text;
  const parts = [];
  const [low, find] = [text.toLowerCase(), wanted.toLowerCase()];
  let from = 0;
  // A letter may be longer in lower case; then nothing is marked rather than the wrong place.
  for (let at = low.length === text.length ? low.indexOf(find) : -1; at >= 0; at = low.indexOf(find, from)) {
    parts.push(text.slice(from, at), html`<mark>${text.slice(at, at + wanted.length)}</mark>`);
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
