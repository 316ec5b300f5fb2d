import {get, getAll, path} from './api.js';

/**
 * One trial of a case: what was asked, what each branch answered, who won, and what re-runs replaced.
 * @param {string} campaign
 * @param {string} caseId
 * @param {number} trial from 1
 * @param {AbortSignal} signal
 * @return {Promise<Api<'Trial'> & {trials: number, strategy: string, branches: Array<string>, definitions: Array<any>, replaced: Array<Api<'ReplacedResult'>>}>}
 *     branches and their definitions stand in one order
 */
export async function readTrial(campaign, caseId, trial, signal) {
  const of = (/** @type {Array<string|number>} */ ...segments) => path('campaigns', campaign, ...segments);
  const [read, {trials, strategy}, {branches}, definition, replaced] = await Promise.all([
    get(of('trials', caseId, trial), signal), get(of(), signal), get(of('progress'), signal), get(of('definition'), signal),
    getAll(of('replaced'), {caseId, trial, pageSize: 100}, signal),
  ]);
  return {...read, trials, strategy, branches: branches.map((/** @type {any} */ b) => b.id), definitions: definition.branches, replaced};
}
