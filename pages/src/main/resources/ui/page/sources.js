import {html, nothing} from '../lit.js';
import {to} from '../address.js';
import {withQuery} from '../api.js';
import {count, counted, money, percent, points, probability, time} from '../format.js';
import {proportion, sign} from '../signs.js';

/** Where the results of a campaign come from, when they are not all its own: docs/importing.md, docs/scoring.md. */

/**
 * What a tool says of results that were imported, beside what they come to.
 * @param {Api<'ImportReport'>|null} report null: they were not imported
 */
export function importTable(report) {
  if (!report) return nothing;
  const {tool, toolVersion, createdAt, complete, metrics} = report;
  return html`<h2>Imported</h2><p>Results of ${tool}${toolVersion ? ` ${toolVersion}` : ''}${createdAt ? `, of ${time(createdAt)}` : ''}.${complete ? '' : ' Some of its run are missing.'}</p>
    ${metrics.length ? html`<div class="wide" tabindex="0" role="region" aria-label="Numbers of the tool"><table>
      <caption class="dim">What the tool says, beside what its results come to here. Numbers that are no count or mean are not computed.</caption>
      <thead><tr><th scope="col">Number</th><th scope="col">Branch</th><th scope="col">Theirs</th><th scope="col">Ours</th><th scope="col">Cases</th><th scope="col">Equal</th></tr></thead>
      <tbody>${metrics.map((m) => html`<tr><th scope="row">${m.metric}</th><td>${m.branch}</td><td class="number">${number(m.theirs)}</td><td class="number">${number(m.ours)}</td>
        <td class="number">${count(m.cases)}</td><td>${typeof m.equal !== 'boolean' ? '–' : m.equal ? sign('PASS') : sign('FAIL')}</td></tr>`)}</tbody></table></div>` : nothing}`;
}

/**
 * What a scoring says of the answers, beside what was said before.
 * @param {Api<'Scoring'>|null} report null: it is no scoring, or goes on
 */
export function scoringTable(report) {
  if (!report) return nothing;
  const row = (/** @type {Api<'ScoredBranch'>} */ b) => html`<tr><th scope="row"><a href=${withQuery(to('campaigns', report.campaign, 'results'), {filter: 'flipped', branch: b.branchId})}>${b.branchId}</a></th>
    <td>${proportion(b.before)}</td><td>${proportion(b.after)}</td><td class="number">${count(b.counts.onlyBefore)}</td><td class="number">${count(b.counts.onlyAfter)}</td>
    <td class="number">${count(b.unknownBefore + b.unknownAfter)}</td><td class="number">${percent(b.agreement.value)}</td>
    <td class="number">${typeof b.kappa.value === 'number' ? b.kappa.value.toFixed(2) : '–'}</td><td class="number">${points(b.difference.value)}</td><td class="number">${probability(b.pHolm ?? b.p)}</td></tr>`;
  return html`<h2>Beside ${report.of}</h2><p>Gate before ${sign(report.verdicts.before)}, now ${sign(report.verdicts.after)}. ${counted(report.calls, 'call')} of graders and judges, ${money(report.costUsd)}.
      ${report.warnings.map((w) => html`${w} `)}</p>
    <div class="wide" tabindex="0" role="region" aria-label="What the scoring changes"><table>
      <caption class="dim">The same answers, judged before and now. p: that the pass rate did not change, tested by case, adjusted for the number of branches.</caption>
      <thead><tr><th scope="col">Branch</th><th scope="col">Passed before</th><th scope="col">Pass now</th><th scope="col">Only before</th><th scope="col">Only now</th>
        <th scope="col">Unknown</th><th scope="col">Agree</th><th scope="col">Kappa</th><th scope="col">Difference</th><th scope="col">p</th></tr></thead>
      <tbody>${report.branches.map(row)}</tbody></table></div>
    ${report.unscored.length ? html`<ul>${report.unscored.map((u) => html`<li>Unscored in ${counted(u.cells, 'cell')}: <bdi>${u.reason}</bdi></li>`)}</ul>` : nothing}`;
}

/**
 * The scorings of a campaign's answers.
 * @param {{items: Array<Api<'Campaign'>>, nextPageToken: string|null}} scorings the newest
 */
export function scoringList({items, nextPageToken}) {
  if (!items.length) return nothing;
  return html`<h2>Scorings</h2><div class="wide" tabindex="0" role="region" aria-label="Scorings"><table>
    <caption class="dim">Its stored answers under other checks, graders or judges, the newest first.${nextPageToken ? ` The newest ${count(items.length)} of them.` : ''}</caption>
    <thead><tr><th scope="col">Scoring</th><th scope="col">State</th><th scope="col">Verdict</th><th scope="col">Trials passed</th><th scope="col">Created</th></tr></thead>
    <tbody>${items.map((s) => html`<tr><th scope="row"><a href=${to('campaigns', s.id)}>${s.name}</a> <small class="dim">${s.id}</small></th><td>${sign(s.state)}</td><td>${sign(s.verdict)}</td>
      <td>${percent(s.passRate.value)} <small class="dim">${count(s.passRate.passed)}/${count(s.passRate.known)}</small></td><td class="number">${time(s.createdAt)}</td></tr>`)}</tbody></table></div>`;
}

/** @param {number|null|undefined} n */
const number = (n) => typeof n === 'number' ? n.toLocaleString('en', {maximumFractionDigits: 6}) : '–';
