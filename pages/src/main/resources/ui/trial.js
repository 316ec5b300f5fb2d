import {Problem, get, getAll, path} from './api.js';
import {asksBranches} from './format.js';

/**
 * One trial of a case: what was asked, what each branch answered, who won, and what re-runs replaced.
 * @param {string} campaign
 * @param {string} caseId
 * @param {number} trial from 1
 * @param {AbortSignal} signal
 * @return {Promise<Api<'Trial'> & {gone: Set<string>, trials: number, strategy: string, asks: boolean, scoring: Api<'ScoredCampaign'>|null, branches: Array<string>, definitions: Array<any>, replaced: Array<Api<'ReplacedResult'>>}>}
 *     branches and their definitions stand in one order; gone has the deleted campaigns of which answers are copies; asks says whether branches can be asked
 */
export async function readTrial(campaign, caseId, trial, signal) {
  const of = (/** @type {Array<string|number>} */ ...segments) => path('campaigns', campaign, ...segments);
  const [read, whole, {branches}, definition, replaced] = await Promise.all([
    get(of('trials', caseId, trial), signal), get(of(), signal), get(of('progress'), signal), get(of('definition'), signal),
    getAll(of('replaced'), {caseId, trial, pageSize: 100}, signal),
  ]);
  const origins = new Set(read.outcomes.map((/** @type {Api<'Transcript'>} */ o) => o.origin?.campaign).filter(Boolean));
  const gone = new Set(await deleted([...origins], signal));
  const {trials, strategy, scoring} = whole;
  return {...read, gone, trials, strategy, scoring, asks: asksBranches(whole), branches: branches.map((/** @type {any} */ b) => b.id), definitions: definition.branches, replaced};
}

/**
 * @param {Array<string>} campaigns
 * @param {AbortSignal} signal
 * @return {Promise<Array<string>>} those that are deleted
 */
async function deleted(campaigns, signal) {
  const known = await Promise.all(campaigns.map((campaign) => get(path('campaigns', campaign), signal).catch((e) => {
    if (e instanceof Problem && e.code === 'NOT_FOUND') return null;
    throw e;
  })));
  return campaigns.filter((_, i) => !known[i]);
}
