import {html} from './lit.js';
import {count, interval, percent} from './format.js';

/** Signs that say with a glyph what they say with a colour. */

/** @type {Record<string, [glyph: string, style: string]>} */
const STATES = {
  PENDING: ['◌', 'none'], RUNNING: ['▶', 'live'], PAUSED: ['⏸', 'wait'], COMPLETED: ['■', 'none'], FAILED: ['!', 'bad'], CANCELLED: ['⊘', 'none'],
  PASS: ['✓', 'good'], FAIL: ['✕', 'bad'], INCONCLUSIVE: ['?', 'wait'], UNSURE: ['?', 'wait'],
  OK: ['●', 'good'], WAITING: ['◐', 'wait'], STALLED: ['!', 'bad'],
  PASSED: ['●', 'good'], UNSCORED: ['○', 'wait'], MODEL_ERROR: ['!', 'wait'], TIMED_OUT: ['!', 'wait'], LIMIT: ['!', 'wait'], BUDGET_SKIPPED: ['–', 'none'],
  BUILDING: ['◌', 'none'], UPLOADED: ['◌', 'none'], SUBMITTING: ['◐', 'wait'], SUBMITTED: ['▶', 'live'], UNCERTAIN: ['?', 'bad'], ENDED: ['◐', 'live'],
  COLLECTED: ['■', 'none'], REFUSED: ['!', 'bad'], ABANDONED: ['⊘', 'none'],
  live: ['●', 'good'], reconnecting: ['◐', 'wait'], ended: ['■', 'none'],
};

/** @param {string|null|undefined} word one of the API's; null shows nothing */
export function sign(word) {
  if (!word) return html`<span class="dim">–</span>`;
  const [glyph, style] = STATES[word] ?? ['·', 'none'];
  return html`<span class=${`sign ${style}`}><span aria-hidden="true">${glyph}</span> ${word}</span>`;
}

/**
 * How much of something is done.
 * @param {number} done
 * @param {number} total
 * @param {string} what
 * @param {number|null} [out] of what is not done, the part that is out in batches of providers
 */
export const progressBar = (done, total, what, out) => html`<progress max=${Math.max(1, total)} .value=${done} aria-label=${what}></progress>
  <span class="number">${count(done)} / ${count(total)}${out ? ` · ${count(out)} out` : ''}</span>`;

/**
 * The share of what is known, with its counts; the interval holds what is unknown.
 * @param {{value?: number|null, known?: number|null, successes: number, denominator: number, unknown?: number, low?: number|null, high?: number|null}} p a share
 */
export const proportion = (p) => html`${percent(p.known ?? (p.unknown ? null : p.value))} <small class="dim">${count(p.successes)}/${count(p.denominator - (p.unknown ?? 0))}${p.unknown ? `, ${count(p.unknown)} unknown` : ''}<br>${interval(p)}</small>`;
