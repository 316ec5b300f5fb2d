import {ask, path, withQuery} from './api.js';
import {Cells} from './cells.js';

/** @typedef {{version: string, since: string|null, changes: string|null}} Step changes in base64; null: ask for them */
/** @typedef {{campaign: string, version: string, cells: Cells}} Matrix */

/** @type {Matrix|null} the one that was read last: pages of one campaign share it */
let last = null;

/**
 * The cells of a campaign as they are now; only what changed is sent where that can be.
 * @param {string} campaign
 * @param {AbortSignal} [signal]
 * @return {Promise<Cells>}
 */
export async function readMatrix(campaign, signal) {
  const known = last?.campaign === campaign ? last : null;
  const answer = await ask(withQuery(path('campaigns', campaign, 'matrix'), {since: known?.version}), {signal});
  const number = (/** @type {string} */ name) => Number(answer.headers.get(`Matrix-${name}`));
  const size = {trials: number('Trials'), cases: number('Cases'), branches: number('Branches')};
  const body = await answer.arrayBuffer();
  const cells = known && answer.headers.has('Matrix-Since') ? known.cells.changed(size, body) : new Cells(size, new Uint8Array(body));
  last = {campaign, version: answer.headers.get('Matrix-Version') ?? '', cells};
  return cells;
}

/**
 * The cells after a step that the server told.
 * @param {string} campaign
 * @param {Step} step
 * @return {Cells|null} null: it does not follow what is known, so that the matrix is to be read
 */
export function stepMatrix(campaign, step) {
  if (last?.campaign !== campaign) return null;
  if (step.version === last.version) return last.cells;
  if (step.since !== last.version || step.changes === null) return null;
  const changes = Uint8Array.from(atob(step.changes), (c) => c.charCodeAt(0));
  if (!last.cells.holds(changes.buffer)) return null;
  last = {campaign, version: step.version, cells: last.cells.changed(last.cells, changes.buffer)};
  return last.cells;
}
