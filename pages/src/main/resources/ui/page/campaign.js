import {html, nothing} from '../lit.js';
import {get, path, withQuery} from '../api.js';
import {go, to} from '../address.js';
import {chart} from '../chart.js';
import {download} from '../download.js';
import {follow} from '../events.js';
import {ORDER_GIVEN, age, choosesAny, count, counted, duration, interval, money, percent, points, time, tokens} from '../format.js';
import {moveInRows} from '../rows.js';
import {progressBar, proportion, sign} from '../signs.js';
import {batchTable} from './batches.js';
import {Page} from './page.js';
import {importTable, scoringList, scoringTable} from './sources.js';
import {steering} from './steering.js';

const FAILURES = 10;
const BATCHES = 50;
const SCORINGS = 50;
const SLOWLY = 5000;
const UNREAD = /** @type {any} */ (null);
const ENDED = ['COMPLETED', 'CANCELLED', 'FAILED'];

/** @type {Record<string, string>} */
const REASONS = {
  MISSING_EVIDENCE: 'trials without evidence could turn it either way',
  UNREPEATABLE: 'run again, it would too often be another',
  ERRORS: 'trials that ended in errors could turn it, or are more than the gate accepts',
  UNSURE: 'the interval holds the threshold: too few trials to be sure',
  NO_SHARED_CASES: 'no case is shared with the baseline',
  REDRAWN: 'it depends on which draw of a trial counts that was asked again',
  EVALUATORS_DIFFER: 'others judged the baseline, or who did is not known',
  LOST: 'the import of its file left out what could turn it',
};

/** @type {Record<string, string>} */
const PROVIDERS = {LIMITED: 'limits calls', DOWN: 'does not answer', NO_KEY: 'has no key that works'};

/** @type {Record<string, string>} */
const WHY_LIVE = {FEW: 'too few cells for a batch', DEADLINE: 'the deadline is too near for a batch', NO_BATCHES: 'the provider takes no batches'};

/** One campaign: how far it is, what it says, and what can be done. */
class Campaign extends Page {
  constructor() {
    super();
    // Read before anything is drawn.
    /** @type {Api<'Campaign'>} */ this.campaign = UNREAD;
    /** @type {Api<'Progress'>} */ this.progress = UNREAD;
    /** @type {Api<'CampaignSummary'>|null} */ this.report = null;
    /** @type {Api<'Series'>} */ this.series = UNREAD;
    /** @type {Array<Api<'Outcome'>>} */ this.failures = [];
    /** @type {{items: Array<Api<'ProviderBatch'>>, nextPageToken: string|null}} */ this.batches = {items: [], nextPageToken: null};
    /** @type {{items: Array<Api<'Campaign'>>, nextPageToken: string|null}} */ this.scorings = {items: [], nextPageToken: null};
    /** @type {Api<'Scoring'>|null} */ this.scored = null;
    /** @type {Api<'ImportReport'>|null} */ this.imported = null;
    /** @type {import('../events.js').Connection} */ this.connection = 'reconnecting';
    /** @type {() => void} */ this.stop = () => {};
    this.slowlyRead = 0;
    /** @type {Api<'Server'>} */ this.server = UNREAD;
    this.told = '';
  }

  get id() {
    return this.names.campaign;
  }

  connectedCallback() {
    document.title = `${this.id} · Assay`;
    super.connectedCallback();
    this.watch();
    this.life.signal.addEventListener('abort', () => this.stop());
  }

  /** Once more after each change: what has ended may go on. */
  watch() {
    this.stop();
    this.stop = follow(path('campaigns', this.id, 'events'), {
      event: (name, data) => name === 'progress' && this.took(data),
      connection: (now) => {
        this.connection = now;
        this.draw();
      },
    });
  }

  async read() {
    const campaign = await get(path('campaigns', this.id), this.life.signal);
    this.take(campaign);
    document.title = `${campaign.name} · Assay`;
    this.server ??= await get(path('server'), this.life.signal);
    await this.readSlowly();
  }

  /** What need not be asked each second. */
  async readSlowly() {
    this.slowlyRead = Date.now();
    const of = (/** @type {string} */ what, /** @type {Record<string, unknown>} */ query = {}) =>
      get(withQuery(path('campaigns', this.id, what), query), this.life.signal);
    const {state, scoring} = this.campaign;
    const ended = ENDED.includes(state);
    [this.progress, this.report, this.series, {items: this.failures}, this.batches, this.scorings, this.scored, this.imported] = await Promise.all([
      of('progress'), ended ? of('report', {cases: false}) : null, of('series'), of('failures', {pageSize: FAILURES}),
      get(withQuery(path('batches'), {campaign: this.id, pageSize: BATCHES}), this.life.signal),
      of('scorings', {pageSize: SCORINGS}), ended && scoring ? of('scoring', {pageSize: 1}) : null, this.campaign.import ? of('import') : null,
    ]);
  }

  /**
   * @param {Api<'Progress'>} progress
   * @return {boolean} whether it was the last
   */
  took(progress) {
    this.progress = progress;
    const {state, verdict, failureReason, health, costUsd, usage, unknownUsage} = progress;
    if (this.campaign) this.take({...this.campaign, state, verdict, failureReason, health, costUsd, usage, unknownUsage, progress: progress.progress});
    const ended = ENDED.includes(state);
    this.draw();
    if (ended || Date.now() - this.slowlyRead > SLOWLY) this.load();
    return ended;
  }

  /** @param {Api<'Campaign'>} campaign */
  take(campaign) {
    this.campaign = campaign;
  }

  /** What every surface says of the campaign. */
  get account() {
    return this.progress.account;
  }

  view() {
    const campaign = this.campaign;
    return html`<nav aria-label="Above"><a href="/ui/">Campaigns</a></nav>
      <h1>${campaign.name} <small>${campaign.id}</small></h1>
      ${campaign.description ? html`<p class="dim">${campaign.description}</p>` : nothing}
      ${Object.keys(campaign.metadata).length ? html`<p class="dim">${Object.entries(campaign.metadata).map(([name, value]) => `${name}=${value}`).join(' · ')}</p>` : nothing}
      ${campaign.scoring ? html`<p>Judges the stored answers of <a href=${to('campaigns', campaign.scoring.of)}>${campaign.scoring.name}</a> <small class="dim">${campaign.scoring.of}</small>.</p>` : nothing}
      <p class="bar">${sign(campaign.state)} ${campaign.verdict ? sign(campaign.verdict) : nothing}
        <span role="status" aria-label="Connection">${sign(this.connection)}</span>
        <a class="button" href=${to('campaigns', this.id, 'results')}>Results</a>
        <a class="button" href=${withQuery(to('compare'), {pick: this.id})}>Compare …</a>
        <a class="button" href=${withQuery(path('campaigns', this.id, 'artifacts'), {format: 'html'})} download=${`${this.id}.html`} title="One page that needs no server" @click=${download}>Save report</a>
        ${this.server.temporalCampaign ? html`<a class="button" rel="noreferrer" href=${this.server.temporalCampaign.replace('{id}', encodeURIComponent(this.id))}>In Temporal</a>` : nothing}</p>
      ${this.decided()}
      ${steering(campaign, (changed) => {
        if (!changed) return go('/ui/');
        this.take(changed);
        this.watch();
        this.load();
      })}
      ${this.warnings()} ${this.held()} ${this.toDo()} ${this.cards()} ${this.charts()} ${this.branches()} ${scoringTable(this.scored)} ${importTable(this.imported)}
      ${batchTable(this.batches.items, this.batches.nextPageToken !== null, this)} ${scoringList(this.scorings)} ${this.errorTable()} ${this.failed()} ${this.definition()}`;
  }

  /** The rule that decided, and what its verdict rests on. */
  decided() {
    const {campaign, report} = this;
    if (campaign.failureReason) return html`<p class="error">${campaign.failureReason}</p>`;
    if (!campaign.verdict || !report) return nothing;
    const bounds = report.branches.filter((b) => typeof b.bound === 'number');
    return html`<p>${report.sentence ?? nothing}
      ${report.reasons?.length ? html`${report.reasons.map((/** @type {string} */ r) => REASONS[r] ?? r).join('; ')}.` : nothing}
      ${bounds.map((b) => html`The verdict of ${b.branchId} is wrong in at most ${percent(b.bound)} of campaigns.`)}
      ${report.branches.map((b) => b.trials.notNeeded ? html`${b.branchId}: ${count(b.trials.passed)} of ${count(asked(b.trials))} asked passed, ${count(b.trials.notNeeded)} not needed.` : nothing)}
      ${report.redrawn ? html`${count(report.redrawn)} cells were asked again after a result; the first draw counts.` : nothing}
      ${report.wholeReruns ? html`All cells of a branch were asked again ${count(report.wholeReruns)} times; earlier draws do not count.` : nothing}
      ${report.branches.map((b) => b.saved?.calls ? html`${b.branchId} stopped early: ${count(b.saved.calls)} calls saved${b.saved.costUsd ? `, about ${money(b.saved.costUsd)}` : ''}.` : nothing)}
      ${report.baselines.map((b) => html`${b.branchId} beside the baseline ${b.campaign}: ${points(b.difference.known ?? b.difference.value)}${b.difference.low === null ? '' : ` (${points(b.difference.low)} to ${points(b.difference.high)})`}.`)}
      ${again(report)}</p>
      ${report.branches.map((b) => Object.keys(b.trials.errorCodes ?? {}).length ? html`<p>Errors of ${b.branchId}: ${Object.entries(b.trials.errorCodes ?? {}).map(([code, n]) => `${count(n)} ${code}`).join(', ')}.</p>` : nothing)}`;
  }

  /** What holds it up. */
  warnings() {
    const {warnings} = this.campaign;
    if (!warnings.length) return nothing;
    return html`<section class="notice" aria-label="Warnings">
      <ul>${warnings.map((w) => html`<li>${w.message} <span class="dim">${w.code}</span></li>`)}</ul></section>`;
  }

  held() {
    const health = this.campaign.health;
    if (!health?.reasons.length) return nothing;
    return html`<section class=${`notice ${health.status === 'OK' ? '' : 'wait'}`} aria-label="Health">${sign(health.status)}
      <ul>${health.reasons.map((r) => html`<li>${r.message} <span class="dim">${r.code}${r.cells === null ? '' : ` · ${count(r.cells)} cells`}${r.until ? ` · until ${time(r.until)}` : ''}</span>${r.code === 'PROVIDER_LIMIT' ? html` <a href=${to('providers')}>Limits</a>` : nothing}</li>`)}</ul></section>`;
  }

  /** Who paused it, which providers hold it up, and what to do. */
  toDo() {
    const {paused, providers, outWith, choices, next} = this.account;
    const away = providers.filter((p) => p.state !== 'OK');
    return html`<p>${paused ? html`Paused ${time(paused.at)}${paused.who ? ` by ${paused.who === 'assay' ? 'Assay' : paused.who}` : ''}${paused.reason ? `: ${paused.reason}` : ''}. ` : nothing}
      ${outWith.map((o) => html`${count(o.cells)} cells are out with ${o.provider} (${counted(o.batches, 'batch', 'batches')}, ${count(o.answered)} answered). `)}
      ${choices.map((c) => html`${c.branch} is asked ${c.delivery === 'BATCH' ? 'by batch' : 'live'}${c.why ? `: ${WHY_LIVE[c.why]}` : ''}. `)}
      ${away.map((p) => html`Provider ${p.name}: ${PROVIDERS[p.state]}, ${count(p.held)} cells held. `)}
      Next: <kbd>${next}</kbd></p>`;
  }

  cards() {
    const {campaign, progress, account} = this;
    const {cellsDone, cellsTotal, trialsDone, trialsTotal} = campaign.progress;
    const {rate, eta, etaReason, inFlight, maxConcurrent, cells, branches} = account;
    const spend = progress.spend;
    const missed = [[cells.skipped, 'skipped'], [cells.notNeeded, 'not needed'], [cells.rerun, 'asked again']].flatMap(([n, what]) => n ? [`, ${count(/** @type {number} */ (n))} ${what}`] : []).join('');
    return html`<div class="whole">${progressBar(cellsDone, cellsTotal, 'Cells done', cells.out)}</div>
      <div class="cards">
        ${card('Cells', count(cellsDone), `of ${count(cellsTotal)}; ${count(branches.reduce((n, b) => n + b.passed, 0))} passed${missed}`)}
        ${card('Trials', count(trialsDone), `of ${count(trialsTotal)}`)}
        ${campaign.state === 'RUNNING' ? card('Cells a second', typeof rate === 'number' ? rate.toFixed(1) : '–',
            eta ? `${duration(Math.max(0, Date.parse(eta) - Date.now()))} left` : `end unknown: ${words(etaReason)}`) : nothing}
        ${campaign.state === 'RUNNING' ? card('Calls in flight', count(inFlight), `of ${count(maxConcurrent)}`) : nothing}
        ${card('Spent', money(account.spentUsd), `of ${campaign.budgetUsd === null ? 'no budget' : money(campaign.budgetUsd)}; reserved ${money(account.reservedUsd)}; ${count(spend.requests)} requests`)}
        ${card('Cost of the results', money(campaign.costUsd), 'Spent has other attempts and replaced results, too')}
        ${card('Tokens', tokens(campaign.usage, campaign.unknownUsage), `${count(campaign.usage.input)} in, ${count(campaign.usage.output)} out`)}
        ${card('Age', age(campaign.createdAt), `${counted(campaign.cases, 'case')} × ${counted(campaign.trials, 'trial')}, suite ${campaign.suite}${campaign.createdBy ? `, by ${campaign.createdBy}` : ''}`)}
      </div>`;
  }

  charts() {
    const points = spans(this.series.items);
    if (points.length < 2) return nothing;
    const line = (/** @type {'rate'|'errors'|'inFlight'|'cost'} */ name) => points.map((p) => ({at: p.at, value: p[name]}));
    return html`<h2>Over time</h2><div class="charts">
      ${chart('Cells answered a second', line('rate'), (v) => v.toFixed(1))}
      ${points.some((p) => p.errors) ? chart('Errors a second', line('errors'), (v) => v.toFixed(1)) : nothing}
      ${chart('Calls in flight', line('inFlight'), (v) => v.toFixed(1))}
      ${chart('Cost', line('cost'), money)}</div>`;
  }

  /** While it runs, what is done; in the end, what the report says. */
  branches() {
    const chooses = choosesAny(this.campaign.strategy);
    const byId = new Map((this.report?.branches ?? []).map((b) => [b.branchId, b]));
    const rows = this.progress.branches.map((b) => {
      const ended = byId.get(b.id);
      const trials = ended ? proportion(ended.trialPassRate)
        : proportion({...b.passRate, known: b.passRate.value, successes: b.passRate.passed, denominator: b.passRate.known});
      return html`<tr><th scope="row"><a href=${withQuery(to('campaigns', this.id, 'results'), {branch: b.id, filter: 'failing'})}>${b.id}</a></th>
        <td>${ended && !ended.gated ? html`<span class="dim">not gated</span>` : sign(ended?.verdict)}</td><td>${ended ? decided(ended.suitePassRate) : '–'}</td><td>${trials}</td>
        <td class="number">${count(b.cellsFailed)}</td>${chooses ? html`<td class="number">${ended ? `${count(ended.wins.successes)}/${count(ended.wins.denominator)}` : count(b.wins)}</td>` : nothing}
        <td class="number">${money(b.costUsd)}</td><td class="number">${tokens(b.usage, b.unknownUsage)}</td></tr>`;
    });
    const inOrder = !this.report && this.progress.branches.some((b) => b.passRate.why === 'ORDER_GIVEN');
    return html`<h2>Branches</h2><div class="wide"><table><caption class="dim">Intervals at ${percent(0.95)}, ${this.report ? 'for other cases like these'
      : 'which hold at every moment, however often one looks'}.${inOrder ? ` ${ORDER_GIVEN}` : ''}</caption>
      <thead><tr><th scope="col">Branch</th><th scope="col">Verdict</th><th scope="col">Cases passed</th><th scope="col">Trials passed</th>
        <th scope="col">Errors</th>${chooses ? html`<th scope="col">Wins</th>` : nothing}<th scope="col">Cost</th><th scope="col">Tokens</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  }

  /** The errors with which cells ended, or after which they are tried again. */
  errorTable() {
    const {errors} = this.account;
    if (!errors.length) return nothing;
    return html`<h2>Errors</h2><div class="wide" tabindex="0"><table><thead><tr><th scope="col">Error</th><th scope="col">Cells</th><th scope="col">Tried again</th><th scope="col">Newest words</th></tr></thead>
      <tbody>${errors.map((e) => html`<tr><th scope="row">${e.code}</th><td class="number">${count(e.final)}</td><td class="number">${count(e.attempts)}</td><td>${e.newest ?? ''}</td></tr>`)}</tbody></table></div>
      ${errors.some((e) => e.final) ? html`<p>Run them again with <kbd>assay rerun ${this.id} --errored</kbd>, or with Run again above.</p>` : nothing}`;
  }

  failed() {
    if (!this.failures.length) return html`<h2>Newest failures</h2><p class="dim">None so far.</p>`;
    return html`<h2>Newest failures</h2><div class="wide"><table class="rows"><caption class="unseen">The cells that failed a check or ended in an error, the newest first</caption>
      <thead><tr><th scope="col">Cell</th><th scope="col">Status</th><th scope="col">When</th><th scope="col">Why</th></tr></thead>
      <tbody>${this.failures.map((o) => html`<tr><th scope="row"><a data-row href=${to('campaigns', this.id, 'cells', o.caseId, o.branchId, o.trial)}>
        ${o.caseId} · ${o.branchId} · trial ${o.trial}</a></th><td>${sign(o.status)}</td><td class="number">${time(o.finishedAt)}</td>
        <td>${o.error ? html`${o.error.message} <span class="dim">${o.error.code}</span>` : o.checks.filter((c) => c.status === 'FAILED').map((c) => c.reason).join('; ')}</td></tr>`)}</tbody></table></div>
      <p><a href=${withQuery(to('campaigns', this.id, 'results'), {filter: 'failing'})}>All of them</a></p>`;
  }

  /** What it was told to do, read on demand. */
  definition() {
    const opened = (/** @type {Event} */ e) => /** @type {HTMLDetailsElement} */ (e.target).open && !this.told && this.attempt(async () => {
      this.told = JSON.stringify(await get(path('campaigns', this.id, 'definition'), this.life.signal), null, 2);
    });
    return html`<details @toggle=${opened}><summary>Definition</summary><pre>${this.told || '…'}</pre></details>`;
  }

  /** @param {string} key */
  key(key) {
    if (key === 'Escape') go('/ui/');
    else return moveInRows(this, key);
    return true;
  }
}

/** @param {string|null|undefined} name of the API, such as TOO_FEW_DONE */
const words = (name) => (name ?? '').toLowerCase().replaceAll('_', ' ');

const card = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ more) =>
  html`<div class="card"><small>${name}</small><b>${value}</b><small>${more}</small></div>`;

/** @typedef {{at: number, rate: number, errors: number, inFlight: number|null, cost: number|null}} Point at in milliseconds */

/** Workers count calls in flight each 2 s; where nobody counted for longer than this, in milliseconds, there were none. */
const UNCOUNTED = 10_000;

/**
 * What was measured over time; where nothing was finished for a while, the rates are 0.
 * @param {Array<Api<'SeriesBucket'>>} items of the API
 * @return {Array<Point>}
 */
function spans(items) {
  /** @type {Array<Point>} */ const points = [];
  /** @type {number|null} */ let cost = null;
  for (const {startsAt, seconds, cells, failed, inFlight, costUsd} of items) {
    const at = Date.parse(startsAt);
    const before = points[points.length - 1];
    const silent = before ? at - before.at : 0;
    if (silent > seconds * 1500) {
      const none = {rate: 0, errors: 0, inFlight: silent > seconds * 1000 + UNCOUNTED ? 0 : null, cost};
      points.push({...none, at: before.at + seconds * 1000}, {...none, at: at - 1});
    }
    if (typeof costUsd === 'number') cost = (cost ?? 0) + costUsd;
    points.push({at, rate: (cells - failed) / seconds, errors: failed / seconds, inFlight: inFlight ?? null, cost});
  }
  return points;
}

/** @param {Api<'BranchSummary.TrialCounts'>} trials that ended in an answer or an error */
const asked = (trials) => trials.passed + trials.failed + trials.errors + trials.unscored;

/**
 * Cases that passed. Where some are open, those that are decided are no sample: they have no share.
 * @param {Api<'Proportion'>} p of cases
 */
const decided = (p) => p.unknown ? html`${count(p.successes)}/${count(p.denominator - p.unknown)} <small class="dim">${count(p.unknown)} open<br>${interval(p)}</small>` : proportion(p);

/**
 * Whether the gate would say the same of the campaign, run again.
 * @param {Api<'CampaignSummary'>} report
 */
function again(report) {
  if (report.why === 'TRIALS_ALIKE') return 'Repeated answers are too alike to say what it would say, run again.';
  if (report.why === 'TOO_FEW_REPEATS') return 'It takes ten trials that repeat a case to say what it would say, run again.';
  return typeof report.rerunPass === 'number' ? html`Run again, it would pass in ${percent(report.rerunPass)} of runs (${percent(report.rerunLow)} to ${percent(report.rerunHigh)}).` : nothing;
}

customElements.define('assay-campaign', Campaign);
