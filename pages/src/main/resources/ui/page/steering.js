import {html, nothing} from '../lit.js';
import {path, send} from '../api.js';
import {announce} from '../announce.js';
import {askUser} from '../dialog.js';
import {asksBranches, count, money} from '../format.js';

/** What a user can do to a campaign, by its state: the table of docs/steering.md. Verbs that change nothing are left out. */

/**
 * @typedef {object} Verb
 * @property {string} name on the button
 * @property {Array<string>} states in which it is offered
 * @property {boolean} [asks] whether it asks branches, which scorings and imports do not
 * @property {boolean} [danger]
 * @property {(campaign: Api<'Campaign'>) => unknown} effect what it does, for people, with fields to fill in
 * @property {(campaign: Api<'Campaign'>, form: FormData) => Promise<any>} act
 */

const NOT_ENDED = ['PENDING', 'RUNNING', 'PAUSED'];
const ENDED = ['COMPLETED', 'CANCELLED', 'FAILED'];
const ALL = [...NOT_ENDED, ...ENDED];

const post = (/** @type {string} */ verb) => (/** @type {Api<'Campaign'>} */ campaign) => send('POST', path('campaigns', campaign.id, verb));
const patch = (/** @type {Api<'Campaign'>} */ campaign, /** @type {object} */ change) => send('PATCH', path('campaigns', campaign.id), change);
const open = (/** @type {Api<'Campaign'>} */ campaign) => count(campaign.progress.cellsTotal - campaign.progress.cellsDone);
const number = (/** @type {FormData} */ form, /** @type {string} */ name) =>
  form.get(name) === '' || form.get(name) === null ? undefined : Number(form.get(name));

/** @type {Array<Verb>} */
export const VERBS = [
  {
    name: 'Pause', states: ['PENDING', 'RUNNING'], act: post('pause'),
    effect: () => html`<p>Nothing new starts. Calls under way are finished and kept.</p>`,
  },
  {
    name: 'Resume', states: ['PAUSED', ...ENDED], act: post('resume'),
    effect: (campaign) => campaign.state === 'COMPLETED'
      ? html`<p>Runs the cells that were skipped for the budget. If there are none, it stays COMPLETED.</p>`
      : html`<p>Goes on with the ${open(campaign)} cells that are open. Finished cells are neither asked nor paid again.</p>`,
  },
  {
    name: 'Cancel …', states: NOT_ENDED, danger: true, act: post('cancel'),
    effect: (campaign) => html`<p>Aborts the calls under way, which may still be charged, and ends the campaign with ${open(campaign)} cells open.
      What was recorded stays. It can be resumed.</p>`,
  },
  {
    name: 'Limits …', states: ALL,
    effect: (campaign) => html`<p>The new limits count from now on. A raised budget runs what was skipped for it.</p>
      <label>Calls at once <input name="maxConcurrent" type="number" min="1" step="1" value=${campaign.maxConcurrent} required></label>
      <label>Budget in US dollars <input name="budgetUsd" type="number" min="0" step="any" value=${campaign.budgetUsd ?? ''}
        placeholder="no budget"></label>
      <p class="dim">Spent so far: ${money(campaign.costUsd)}. A budget cannot be taken away.</p>`,
    act: (campaign, form) => {
      const budgetUsd = number(form, 'budgetUsd');
      return patch(campaign, {
        maxConcurrent: number(form, 'maxConcurrent'), ...(budgetUsd === undefined || budgetUsd === campaign.budgetUsd ? {} : {budgetUsd}),
      });
    },
  },
  {
    name: 'Trials …', states: ALL, asks: true,
    effect: (campaign) => html`<p>Each case gets more trials, at the end. ${campaign.state === 'PAUSED' ? 'They wait until it is resumed.'
      : ENDED.includes(campaign.state) ? 'The campaign goes on by itself, and new calls cost money.' : 'New calls cost money.'}</p>
      <label>Trials of each case <input name="trials" type="number" min=${campaign.trials} step="1" value=${campaign.trials} required></label>`,
    act: (campaign, form) => patch(campaign, {trials: number(form, 'trials')}),
  },
  {
    name: 'Run again …', states: ALL, asks: true,
    effect: () => html`<p>Opens cells again with all their attempts, which costs money. Cells that passed are never asked again; what they recorded
      before is kept.</p>
      <label>Which <select name="only"><option value="all">all that did not pass</option><option value="failed">a check failed</option>
        <option value="errored">an error ended them</option>
        <option value="grades">a grade did not pass; only the grader is asked</option></select></label>`,
    act: (campaign, form) => send('POST', path('campaigns', campaign.id, 'rerun'), {only: form.get('only')}),
  },
  {
    name: 'Delete …', states: ENDED, danger: true, act: (campaign) => send('DELETE', path('campaigns', campaign.id)),
    effect: (campaign) => html`<p>Removes the campaign with ${count(campaign.progress.cellsDone)} results, transcripts and judge calls. Nothing brings them back.
      What other campaigns share stays.</p>`,
  },
];

/**
 * The buttons for a campaign.
 * @param {Api<'Campaign'>} campaign
 * @param {(changed: Api<'Campaign'>|null) => void} changed takes the server's answer; null: it was deleted
 */
export function steering(campaign, changed) {
  return html`<div class="bar" role="group" aria-label="Steer">${VERBS.map((verb) => verb.states.includes(campaign.state) && (!verb.asks || asksBranches(campaign))
    ? html`<button type="button" class=${verb.danger ? 'danger' : ''} @click=${() => steer(verb, campaign, changed)}>${verb.name}</button>` : nothing)}</div>`;
}

/**
 * @param {Verb} verb
 * @param {Api<'Campaign'>} campaign
 * @param {(changed: Api<'Campaign'>|null) => void} changed
 */
async function steer(verb, campaign, changed) {
  const name = verb.name.replace(' …', '');
  await askUser({
    title: `${name}: ${campaign.name}`,
    body: verb.effect(campaign),
    accept: name,
    danger: verb.danger,
    act: async (form) => {
      const answer = await verb.act(campaign, form);
      announce(answer ? `${name}: the campaign is ${answer.state}` : 'The campaign was deleted');
      changed(answer);
    },
  });
}
