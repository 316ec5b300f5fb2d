import {html, nothing} from '../lit.js';
import {path, send} from '../api.js';
import {announce} from '../announce.js';
import {askUser} from '../dialog.js';
import {count, counted, money, time} from '../format.js';
import {progressBar, sign} from '../signs.js';

/** The batches of providers in which cells of a campaign are or were: docs/batches.md. */

const CLOSED = ['COLLECTED', 'REFUSED', 'ABANDONED'];
const CAN_BE_GIVEN_UP = ['SUBMITTED', 'UNCERTAIN'];

/**
 * The newest batches as a table; nothing where there is none.
 * @param {Array<Api<'ProviderBatch'>>} batches
 * @param {boolean} more whether there are others
 * @param {import('./page.js').Page} page that shows it, and reads it again when one was looked at or given up
 */
export function batchTable(batches, more, page) {
  if (!batches.length) return nothing;
  return html`<h2>Batches</h2><div class="wide" tabindex="0" role="region" aria-label="Batches"><table>
    <caption class="dim">Requests that a provider answers together, the newest first.${more ? ` The newest ${count(batches.length)} of them; assay batch list shows all.` : ''}</caption>
    <thead><tr><th scope="col">With</th><th scope="col">State</th><th scope="col">Lines</th><th scope="col">Ended</th><th scope="col">Reserved</th><th scope="col">Cost</th>
      <th scope="col">Until</th><th scope="col">Next look</th><th scope="col">Do</th></tr></thead>
    <tbody>${batches.map((b) => row(b, page))}</tbody></table></div>`;
}

/**
 * @param {Api<'ProviderBatch'>} b
 * @param {import('./page.js').Page} page
 */
function row(b, page) {
  return html`<tr><th scope="row" id=${`batch-${b.id}`}>${b.provider} ${b.model}<br><small class="dim">${b.id}${b.providerId ? html`<br>${b.providerId}` : nothing}</small></th>
    <td>${sign(b.state)}${b.error ? html`<br><small>${b.error.message}</small>` : nothing}</td>
    <td>${progressBar(b.lines - b.out, b.lines, `Lines of batch ${b.id}`)}${b.out ? html`<br><small class="dim">${count(b.out)} out</small>` : nothing}</td>
    <td>${ends(b)}</td><td class="number">${money(b.reservedUsd)}</td><td class="number">${money(b.costUsd)}</td>
    <td class="number">${time(b.expiresAt)}</td><td class="number">${time(b.nextPollAt)}</td>
    <td>${CLOSED.includes(b.state) ? nothing : html`<button type="button" aria-label=${`Look at batch ${b.id}`} @click=${() => look(b, page)}>Look</button>`}
      ${CAN_BE_GIVEN_UP.includes(b.state) ? html`<button type="button" class="danger" aria-label=${`Give up batch ${b.id}`} @click=${() => giveUp(b, page)}>Give up …</button>` : nothing}</td></tr>`;
}

/** @param {Api<'ProviderBatch'>} b by how its lines ended */
function ends(b) {
  const known = [[b.answered, 'answered'], [b.failed, 'failed'], [b.expired, 'expired'], [b.canceled, 'cancelled'], [b.missing, 'missing']]
    .flatMap(([n, what]) => n ? [`${count(/** @type {number} */ (n))} ${what}`] : []);
  return known.length ? known.join(', ') : '–';
}

/**
 * @param {Api<'ProviderBatch'>} b
 * @param {import('./page.js').Page} page
 */
const look = (b, page) => page.attempt(async () => {
  await send('POST', path('batches', b.id, 'look'));
  announce('The provider is asked about the batch');
  await page.read();
});

/**
 * @param {Api<'ProviderBatch'>} b
 * @param {import('./page.js').Page} page
 */
async function giveUp(b, page) {
  await askUser({
    title: `Give up a batch of ${b.provider}`,
    body: html`<p>${counted(b.out, 'cell')} that ${b.out === 1 ? 'is' : 'are'} out in it will be open again, and asked once more. Its requests count as spent at their worst case, ${money(b.reservedUsd)}.
      What the provider still answers is not recorded, and may be paid.</p>`,
    accept: 'Give up',
    danger: true,
    act: async () => {
      await send('POST', path('batches', b.id, 'abandon'));
      announce('The batch was given up');
      await page.load();
    },
  });
}
