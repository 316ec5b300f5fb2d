import {html} from './lit.js';
import {get, path, withQuery} from './api.js';
import {askUser} from './dialog.js';
import {size} from './format.js';

/** More than this is for the page of the cell. */
const SHOWN = 200_000;

/**
 * Shows an answer as a whole, in a dialog.
 * @param {string} campaign
 * @param {string} caseId
 * @param {string} branchId
 * @param {number} trial from 1
 * @param {string} address of the page of its cell
 */
export async function showAnswer(campaign, caseId, branchId, trial, address) {
  const {items} = await get(withQuery(path('campaigns', campaign, 'outcomes'), {caseId, branchId, trial}));
  /** @type {Api<'Outcome'>|undefined} */ const outcome = items[0];
  const response = outcome?.response ?? '';
  const failed = (outcome?.checks ?? []).filter((c) => c.status !== 'PASSED');
  await askUser({
    title: `${caseId} · ${branchId} · trial ${trial}`, accept: null, isWide: true,
    body: html`<pre tabindex="0">${response.slice(0, SHOWN)}</pre>
      ${response.length > SHOWN ? html`<p class="dim">${size(response.length - SHOWN)} more on the page of the cell.</p>` : ''}
      ${outcome?.error ? html`<p class="error">${outcome.error.message}</p>` : ''}
      ${failed.map((c) => html`<p><b>${c.type}</b>: <bdi>${c.reason}</bdi></p>`)}
      <p><a href=${address} @click=${(/** @type {Event} */ e) => /** @type {HTMLElement} */ (e.target).closest('dialog')?.close()}>Its messages, checks and cost</a></p>`,
  });
}
