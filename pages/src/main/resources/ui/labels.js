import {html, nothing} from './lit.js';
import {path, send, withQuery} from './api.js';
import {announce} from './announce.js';
import {time} from './format.js';
import {sign} from './signs.js';

/** What people say of the answer of a cell: docs/labels.md. */

const VERDICTS = ['pass', 'fail', 'unsure'];

/** By key. */
export const LABEL_KEYS = new Map(VERDICTS.map((verdict) => [verdict[0], verdict]));

export class Labels {
  /**
   * @param {Array<string|number>} cell campaign, case, branch and trial
   * @param {Array<Api<'LabelView'>>} items in force
   * @param {(action: () => Promise<unknown>) => unknown} attempt does what may fail, and draws
   * @param {string} [note] that the user writes
   */
  constructor([campaign, ...cell], items, attempt, note = '') {
    this.address = path('campaigns', campaign, 'labels', ...cell);
    this.items = items;
    this.attempt = attempt;
    this.note = note;
  }

  /** @param {string} verdict of the trial as a whole */
  set(verdict) {
    return this.attempt(async () => {
      this.items = (await send('PUT', this.address, {verdict, ...(this.note.trim() ? {note: this.note} : {})})).items;
      this.note = '';
      announce(`Labelled ${verdict}`);
    });
  }

  /** @param {Api<'LabelView'>} label */
  takeBack(label) {
    return this.attempt(async () => {
      await send('DELETE', withQuery(this.address, {labeller: label.labeller, check: label.check}));
      this.items = this.items.filter((one) => one !== label);
      announce('The label was taken back');
    });
  }

  view() {
    return html`<h2>Labels</h2>${this.items.length ? html`<ul class="checks">${this.items.map((label) => html`<li>${sign(label.verdict.toUpperCase())}
        ${typeof label.score === 'number' && label.score % 1 ? html`<span class="dim">score ${label.score}</span>` : nothing} <bdi>${label.labeller}</bdi>
        <span class="dim">${label.check ? html`on ${label.check}, ` : nothing}${time(label.at)}</span>
        <button type="button" aria-label=${`Take back the label of ${label.labeller}`} @click=${() => this.takeBack(label)}>Take back</button>
        ${label.note ? html`<br><bdi>${label.note}</bdi>` : nothing}</li>`)}</ul>` : html`<p class="dim">Nobody labelled it. Labels change no verdict.</p>`}
      <p class="bar"><span role="group" aria-label="Label it">${VERDICTS.map((verdict) => html`<button type="button" @click=${() => this.set(verdict)}>${verdict}</button> `)}</span>
        <label>Note <input data-key="n" maxlength="10000" .value=${this.note} @input=${(/** @type {Event} */ e) => {
          this.note = /** @type {HTMLInputElement} */ (e.target).value;
        }}></label></p>`;
  }
}
