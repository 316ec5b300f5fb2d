import {html, nothing} from './lit.js';
import {CHOSEN, GLYPHS, LABELLED, STYLES, State, WORDS, isFailing, state} from './cells.js';
import {duration, money} from './format.js';

/** How tall a row of answers is, in pixels; style.css says the same. */
export const ANSWER_ROW = 228;

/**
 * The signs of all trials of a case on a branch.
 * @param {ReadonlyArray<number>} trials
 * @param {boolean} chooses whether what was chosen is marked
 * @param {ReadonlyArray<number|undefined>} [before] the state of each before a scoring, where it was another
 */
export const signsOf = (trials, chooses, before = []) => trials.map((cell, t) =>
  html`${flip(before[t])}<span class=${`${STYLES[state(cell)]}${chooses && cell & CHOSEN ? ' chosen' : ''}`}>${GLYPHS[state(cell)]}</span>`);

/** @param {number|undefined} before state before a scoring; undefined: the same */
const flip = (before) => before === undefined ? nothing : html`<span class="dim">${GLYPHS[before]}→</span>`;

/**
 * What {@link signsOf} says, in words.
 * @param {ReadonlyArray<number>} trials
 * @param {boolean} chooses
 * @param {ReadonlyArray<number|undefined>} [before]
 */
export const wordsOf = (trials, chooses, before = []) => trials.map((cell, t) => `trial ${t + 1} ${WORDS[state(cell)]}${was(before[t])}${chooses && cell & CHOSEN ? ', chosen' : ''}${cell & LABELLED ? ', labelled' : ''}`).join('; ');

/** @param {number|undefined} before state before a scoring; undefined: the same */
const was = (before) => before === undefined ? '' : `, before ${WORDS[before]}`;

/**
 * One answer of a case: how it went, its first lines, and why it did not pass.
 * @param {object} of
 * @param {Api<'AnswerExcerpt'>|null|undefined} of.answer null: there is none; undefined: not read yet
 * @param {ReadonlyArray<number>} of.trials the cells of all trials
 * @param {number} of.trial that is shown, from 0
 * @param {number|undefined} of.before its state before a scoring; undefined: the same, or this is no scoring
 * @param {boolean} of.chooses
 * @param {string|null} of.address of the cell; null: not known yet
 * @param {() => void} of.showWhole
 */
export function answerOf({answer, trials, trial, before, chooses, address, showWhole}) {
  const cell = trials[trial];
  const facts = answer ? [answer.score === null ? null : `score ${Number(answer.score?.toFixed(3))}`, money(answer.costUsd), duration(answer.latencyMs)].filter(Boolean) : [];
  const glyph = html`${flip(before)}<span class=${STYLES[state(cell)]}><span aria-hidden="true">${GLYPHS[state(cell)]}</span> ${WORDS[state(cell)]}${was(before)}</span>${cell & LABELLED ? html` <span class="dim" title="a person labelled it">✎</span>` : nothing}${chooses && cell & CHOSEN ? html` <span class="chosen-sign">chosen</span>` : nothing}`;
  return html`<p class="told">${address ? html`<a href=${address} tabindex="-1">${glyph}</a>` : glyph}
      <span class="dim">${trials.length > 1 ? html`trial ${trial + 1} of <span class="signs">${signsOf(trials, false)}</span> · ` : nothing}${facts.join(' · ')}</span></p>
    ${answer?.answer ? html`<div class=${answer.cut ? 'begin cut' : 'begin'} @click=${showWhole}>${answer.answer}</div>`
      : html`<div class="begin dim">${answer === undefined && state(cell) !== State.OPEN ? '…' : state(cell) === State.OPEN ? 'Not answered yet.' : 'No answer.'}</div>`}
    ${answer?.reason ? html`<p class=${isFailing(cell) ? 'why bad' : 'why dim'} title=${answer.reason}>${answer.reason}</p>` : nothing}`;
}
