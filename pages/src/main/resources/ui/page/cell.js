import {html, nothing} from '../lit.js';
import {go, query, setQuery, to} from '../address.js';
import {Problem, path, send, withQuery} from '../api.js';
import {announce} from '../announce.js';
import {isFailing} from '../cells.js';
import {caseAt} from '../cases.js';
import {askUser} from '../dialog.js';
import {follow} from '../events.js';
import {choosesAny, count, duration, money, size, time} from '../format.js';
import {readMatrix} from '../matrix.js';
import {LABEL_KEYS, Labels} from '../labels.js';
import {conversation, json, text} from '../messages.js';
import {sign} from '../signs.js';
import {words} from '../text.js';
import {readTrial} from '../trial.js';
import {TryOut} from '../try-out.js';
import {Page} from './page.js';

const TYPING = 200;
const TABS = [['', 'Transcript'], ['branches', 'All branches'], ['judge', 'Judge'], ['try', 'Try'], ['raw', 'Raw']];
const ENDED = ['COMPLETED', 'CANCELLED', 'FAILED'];
/** How an outcome ends that has an answer to label. */
const ANSWERED = ['COMPLETED', 'LIMIT'];

/** What one branch made of one trial, with everything that was said about it. */
class Cell extends Page {
  constructor() {
    super();
    /** @type {Awaited<ReturnType<typeof readTrial>>} read before anything is drawn */ this.trial = /** @type {any} */ (null);
    /** @type {Labels|null} null: there is no answer */ this.labels = null;
    this.jumpedTo = '';
    /** @type {TryOut|null} what is tried while this cell is shown */ this.tried = null;
    /** @type {() => void} */ this.stop = () => {};
    /** @type {import('../messages.js').View} */
    this.texts = {find: '', whole: new Set(), showWhole: (name) => {
      this.texts.whole.add(name);
      this.draw();
    }};
  }

  connectedCallback() {
    const {campaign, case: caseId, branch, trial} = this.names;
    document.title = `${caseId} · ${branch} · trial ${trial} · ${campaign} · Assay`;
    super.connectedCallback();
    this.life.signal.addEventListener('abort', () => this.stop());
  }

  async read() {
    if (this.trial) return;
    this.take(await this.readTrial());
  }

  /** @param {Awaited<ReturnType<typeof readTrial>>} trial */
  take(trial) {
    this.trial = trial;
    const {campaign, case: caseId, branch, trial: number} = this.names;
    const o = this.outcome;
    this.labels = o && ANSWERED.includes(o.status) ? new Labels([campaign, caseId, branch, number], o.labels, (action) => this.attempt(action), this.labels?.note) : null;
  }

  readTrial() {
    const {campaign, case: caseId, trial} = this.names;
    const number = Number(trial);
    if (!Number.isInteger(number) || number < 1) throw new Problem(`${trial} is not the number of a trial`, {code: 'NOT_FOUND'});
    return readTrial(campaign, caseId, number, this.life.signal);
  }

  /**
   * @param {string} branch
   * @return {Api<'Transcript'>|null} null: the branch has no outcome
   */
  outcomeOf(branch) {
    return this.trial.outcomes.find((o) => o.branchId === branch) ?? null;
  }

  get outcome() {
    return this.outcomeOf(this.names.branch);
  }

  /** Whether the strategy says something of the answers. */
  get chooses() {
    return choosesAny(this.trial.strategy);
  }

  /** The branch as the campaign's definition has it. */
  get branch() {
    return this.trial.definitions[this.trial.branches.indexOf(this.names.branch)] ?? {};
  }

  /** What the first check with a value looks for. */
  get expected() {
    const value = this.trial.checks.map((c) => c.value).find((/** @type {unknown} */ v) => v !== undefined && v !== null);
    return value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  }

  view() {
    this.texts.find = query('find');
    const {campaign, case: caseId, branch, trial} = this.names;
    return html`<nav aria-label="Above"><a href="/ui/">Campaigns</a> <a href=${to('campaigns', campaign)}>${campaign}</a>
        <a href=${withQuery(to('campaigns', campaign, 'results'), {at: this.trial.position})}>Results</a></nav>
      <h1>${caseId} <small>${branch}, trial ${trial}</small></h1>
      ${this.choices()}
      <div class="bar"><div role="tablist" aria-label="Views">${TABS.map(([name, label]) => html`<button type="button" role="tab" id=${`tab-${name}`} aria-controls="panel"
        aria-selected=${String(query('tab') === name)} @click=${() => setQuery({tab: name}, 'push')}>${label}</button>`)}</div>
        ${this.trial.asks && this.outcome && this.outcome.passed !== true ? html`<button type="button" @click=${() => this.rerun()}>Run again …</button>` : nothing}
        <label>Find <input data-key="/" type="search" maxlength="200" .value=${query('find')} @input=${(/** @type {Event} */ e) => this.find(e)}></label></div>
      <div id="panel" role="tabpanel" aria-labelledby=${`tab-${query('tab')}`}>${this.panel()}</div>`;
  }

  /** Opens what did not pass of this case on this branch, and follows it to its end. */
  async rerun() {
    const {campaign, case: caseId, branch} = this.names;
    await askUser({
      title: 'Run again',
      accept: 'Run again',
      body: html`<p>Opens the trials of <bdi>${caseId}</bdi> that did not pass on branch <bdi>${branch}</bdi>, with all attempts, which costs money.
        Trials that passed are never asked again; what was recorded before is kept.</p>`,
      act: async () => {
        const {state} = await send('POST', path('campaigns', campaign, 'rerun'), {cases: [caseId], branches: [branch]});
        announce(`The campaign is ${state}`);
        this.follow();
      },
    });
  }

  /** Reads the trial again whenever something was recorded, until the campaign has ended. */
  follow() {
    const again = () => this.attempt(async () => this.take(await this.readTrial()));
    again();
    this.stop();
    this.stop = follow(path('campaigns', this.names.campaign, 'events'), {
      event: (name, data) => {
        if (name !== 'progress') return false;
        again();
        return ENDED.includes(data.state);
      },
      connection: () => {},
    });
  }

  /** @param {Event} e */
  find(e) {
    clearTimeout(this.typing);
    const value = /** @type {HTMLInputElement} */ (e.target).value;
    this.typing = setTimeout(() => {
      setQuery({find: value});
      const found = this.querySelectorAll('mark');
      found[0]?.scrollIntoView({block: 'center'});
      announce(value ? `${found.length} found` : '');
    }, TYPING);
  }

  /** Links to the same trial on other branches, and to other trials. */
  choices() {
    const {trials, branches} = this.trial;
    return html`<p class="bar"><span>Branch ${branches.map((/** @type {string} */ branch) => {
      const o = this.outcomeOf(branch);
      return html`<a class="button" href=${this.other(branch, this.names.trial)} aria-current=${String(branch === this.names.branch)}>${branch}
        ${o ? sign(verdict(o)) : 'open'}${o?.selected && this.chooses ? html` <span class="chosen-sign">chosen</span>` : nothing}</a> `;
    })}</span>
      ${trials > 1 ? html`<span>Trial ${Array.from({length: trials}, (_, t) => html`<a class="button" href=${this.other(this.names.branch, t + 1)}
        aria-current=${String(String(t + 1) === this.names.trial)}>${t + 1}</a> `)}</span>` : nothing}</p>`;
  }

  /**
   * @param {string} branch
   * @param {string|number} trial
   */
  other(branch, trial) {
    return withQuery(to('campaigns', this.names.campaign, 'cells', this.names.case, branch, trial), {tab: query('tab'), find: query('find')});
  }

  panel() {
    switch (query('tab')) {
      case 'branches': return this.allBranches();
      case 'judge': return this.judge();
      case 'try': return this.tryOut();
      case 'raw': return html`<pre>${JSON.stringify(this.trial, null, 2)}</pre>`;
      default: return this.transcript();
    }
  }

  transcript() {
    const o = this.outcome;
    const {context} = this.trial;
    if (!o) return html`<section class="empty"><p>The branch has no outcome of this trial yet.</p></section>`;
    return html`<div class="split"><section aria-label="Messages">${this.setup()}
        ${context.length ? html`<details ?open=${this.texts.find !== ''}><summary>Context, ${count(context.length)} messages</summary>${conversation(context, 0, this.texts)}</details>` : nothing}
        ${conversation(o.newMessages, context.length, this.texts)}
        ${o.error ? html`<section class="trouble"><p>${o.error.message}</p><p class="dim">${o.error.code}</p></section>` : nothing}</section>
      <section aria-label="About it">${this.output(o)}${this.checks(o)}${this.labels?.view() ?? nothing}${this.facts(o)}${this.replaced()}</section></div>`;
  }

  /** What the branch was told before anything was said. */
  setup() {
    const {systemPrompt, tools, template} = this.branch;
    return html`${systemPrompt ? html`<article class="message" id="system"><h3>system prompt</h3>${text(systemPrompt, 'system', this.texts)}</article>` : nothing}
      ${tools?.length ? html`<details ?open=${this.texts.find !== ''}><summary>${tools.length === 1 ? '1 tool' : `${count(tools.length)} tools`}: ${tools.map((/** @type {any} */ t) => t.name ?? t.type).join(', ')}</summary>${json(tools, 'tools', this.texts)}</details>` : nothing}
      ${template === undefined ? nothing : html`<details><summary>Template of the prompts</summary>${json(template, 'template', this.texts)}</details>`}`;
  }

  /**
   * What transforms made of the answer.
   * @param {Api<'Transcript'>} o
   */
  output(o) {
    if (o.output === null) return nothing;
    return html`<h2>What checks saw</h2>${typeof o.output === 'string' ? text(o.output, 'output', this.texts) : json(o.output, 'output', this.texts)}`;
  }

  /** @param {Api<'Transcript'>} o */
  checks(o) {
    return html`<h2>Checks</h2>${o.checks.length ? html`<ul class="checks">${o.checks.map((c) => html`<li>${sign(c.status === 'FAILED' ? 'FAIL' : c.status)} <b>${c.type}</b>
      ${c.score === null ? nothing : html`<span class="dim">score ${c.score}</span>`} ${c.required ? nothing : html`<span class="dim">not required</span>`}
      ${c.description ? html`<br><bdi>${c.description}</bdi>` : nothing}<br><bdi>${c.reason}</bdi>
      ${c.grade ? html`<br><span class="dim">graded by a model: ${count(c.grade.usage.total)} tokens · ${money(c.grade.costUsd ?? null)}</span>` : nothing}</li>`)}</ul>`
      : html`<p class="dim">The case has none.</p>`}`;
  }

  /** @param {Api<'Transcript'>} o */
  facts(o) {
    const {selection} = this.trial;
    const rows = [
      ['Status', sign(o.status)], ['Attempts', count(o.attempts)], ['Latency', duration(o.latencyMs)], ['Cost', money(o.costUsd)],
      ['Before this scoring', this.trial.scoring ? sign(word(o.passedBefore)) : null], ['Answer of', origin(o.origin, this.trial.gone.has(o.origin?.campaign ?? ''))],
      ['Delivery', o.delivery === 'BATCH' ? `by batch ${o.batchId}${o.costAssumed ? ', at an assumed price' : ''}` : null],
      ['Tokens', `${count(o.usage.total)}: ${count(o.usage.input)} in, ${count(o.usage.output)} out, ${count(o.usage.reasoning)} reasoning`],
      ['Answer', size(o.response.length)], ['Served', o.served ? Object.values(o.served).filter((v) => typeof v === 'string').join(', ') : '–'],
      ['Exit code', o.exitCode === null ? null : String(o.exitCode)], ['Isolation', o.isolation],
      ['Warnings', o.warnings.length ? o.warnings.join('; ') : null],
      ['Chosen', !this.chooses ? null : selection ? `${selection.selectedBranchId ?? 'none'}, by ${selection.strategy}: ${selection.reason}` : 'not decided yet'],
    ].filter(([, value]) => value !== null);
    return html`<h2>About it</h2><dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      ${o.requested ? html`<details><summary>Asked and sent</summary>${json({requested: o.requested, effective: o.effective, served: o.served}, 'asked', this.texts)}</details>` : nothing}`;
  }

  replaced() {
    const older = (this.trial.replaced ?? []).filter((r) => r.branchId === this.names.branch);
    return older.length ? html`<h2>Replaced results</h2><ul>${older.map((r) => html`<li>Re-run ${r.rerun}, ${time(r.replacedAt)} ${json(r.result, `replaced-${r.rerun}`, this.texts)}</li>`)}</ul>` : nothing;
  }

  /** Answers side by side, each with what differs from this one, and from what was expected. */
  allBranches() {
    const own = this.outcome?.response ?? '';
    const {outcomes} = this.trial;
    const {expected} = this;
    const column = (/** @type {unknown} */ title, /** @type {unknown} */ body) => html`<section><h3>${title}</h3><pre>${body}</pre></section>`;
    return html`${this.question()}<div class="columns" tabindex="0">${outcomes.map((o) => o.branchId === this.names.branch
      ? column(html`${o.branchId} ${sign(verdict(o))}`, o.response)
      : column(html`${o.branchId} ${sign(verdict(o))} <small class="dim">beside ${this.names.branch}</small>`, words(own, o.response)))}
      ${expected ? column(html`Expected <small class="dim">beside ${this.names.branch}</small>`, words(own, expected)) : nothing}</div>`;
  }

  /** What was asked, and before it the conversation. */
  question() {
    const {context, prompts} = this.trial;
    return html`${context.length ? html`<details><summary>Context, ${count(context.length)} messages</summary>${conversation(context, 0, this.texts)}</details>` : nothing}
      ${conversation(prompts.length ? prompts : this.asked, context.length, this.texts)}`;
  }

  /** The messages of the user that were sent: the prompts of the case, or what a template made of them. */
  get asked() {
    const said = this.outcome?.newMessages ?? [];
    const end = said.findIndex((m) => m.role !== 'user');
    const sent = end < 0 ? said : said.slice(0, end);
    return sent.length ? sent : this.trial.prompts;
  }

  tryOut() {
    const {campaign, case: caseId} = this.names;
    this.tried ??= new TryOut({campaign, caseId, branch: this.branch, context: this.trial.context, prompts: this.asked, checks: this.trial.checks,
      answer: this.outcome?.response ?? ''}, this.life.signal, () => this.draw());
    return this.tried.view();
  }

  judge() {
    const {judge, selection} = this.trial;
    return html`${selection ? html`<p>${selection.fallback ? html`<span class="wait">! fallback</span> ` : nothing}${selection.tied ? 'Tied. ' : ''}${selection.strategy} chose
        <b>${selection.selectedBranchId ?? 'none'}</b>: ${selection.reason}</p>${this.votes(selection.votes)}` : html`<p class="dim">Not decided yet.</p>`}
      ${judge.length ? judge.map((call) => this.call(call)) : html`<p class="dim">No judge was asked.</p>`}`;
  }

  /** @param {Array<Api<'JudgeVote'>>} votes */
  votes(votes) {
    if (!votes.length) return nothing;
    return html`<div class="wide" tabindex="0"><table><caption class="unseen">Votes</caption><thead><tr><th scope="col">Judge</th><th scope="col">Vote</th><th scope="col">Result</th><th scope="col">Readings</th></tr></thead>
      <tbody>${votes.map((v) => html`<tr><th scope="row">${v.judge + 1}</th><td>${v.choice ?? '–'}</td><td>${v.result}${v.tied.length ? `: ${v.tied.join(', ')}` : ''}</td>
        <td>${v.readings.map((r) => html`<div>shown ${r.shown.join(', ')}: <mark>${r.choice ?? 'no choice'}</mark> ${r.reason ?? ''} <span class="dim">${r.path}</span></div>`)}</td></tr>`)}</tbody></table></div>`;
  }

  /** @param {Api<'JudgeCall'>} call */
  call(call) {
    const cut = call.compaction;
    const name = `j${call.member}`;
    return html`<article class="message" id=${name}><h3>Call ${call.member + 1} ${sign(call.status)} <span class="dim">${[call.provider, call.model, call.askedAs].filter(Boolean).join(' ')}
        ${duration(call.latencyMs)} · ${money(call.costUsd)} · ${count(call.usage.total)} tokens</span></h3>
      <p>Answers were shown in this order: ${call.shown.join(', ')}</p>
      ${cut.iteration ? html`<p class="notice wait">It read a shortened text: ${count(cut.tokensBefore)} tokens became ${count(cut.tokensAfter)}, of at most ${count(cut.budget)}.
        Context tier ${cut.contextTier}, answers tier ${cut.responseTier}.</p>` : nothing}
      ${call.warning ? html`<p class="notice wait">${call.warning}</p>` : nothing}
      ${call.requested ? html`<details><summary>Asked and sent</summary>${json({requested: call.requested, effective: call.effective, served: call.served}, `${name}.a`, this.texts)}</details>` : nothing}
      ${call.systemPrompt ? html`<details ?open=${this.texts.find !== ''}><summary>System prompt, ${size(call.systemPrompt.length)}</summary>${text(call.systemPrompt, `${name}.s`, this.texts)}</details>` : nothing}
      <h4>Prompt</h4>${text(call.prompt, `${name}.p`, this.texts)}
      <h4>Reply</h4>${typeof call.reply === 'string' ? text(call.reply, `${name}.r`, this.texts) : html`<p class="error">${call.error?.message ?? 'No reply was recorded.'}</p>`}</article>`;
  }

  drawn() {
    const target = location.hash && this.hasData ? document.getElementById(location.hash.slice(1)) : null;
    if (target && this.jumpedTo !== location.hash) {
      this.jumpedTo = location.hash;
      target.classList.add('found');
      target.scrollIntoView();
    }
  }

  /** @param {number} step 1: the next, -1: the one before */
  async toFailing(step) {
    const at = this.trial.position;
    const cells = await readMatrix(this.names.campaign, this.life.signal);
    const branch = Math.max(0, this.trial.branches.indexOf(this.names.branch));
    for (let position = at + step; position >= 0 && position < cells.cases; position += step) {
      if (!isFailing(cells.at(position, branch, cells.trialToRead(position, branch)))) continue;
      const one = await caseAt(this.names.campaign, position);
      go(withQuery(to('campaigns', this.names.campaign, 'cells', one.id, this.names.branch, cells.trialToRead(position, branch) + 1), {tab: query('tab')}));
      return;
    }
    announce('No other case of this branch fails');
  }

  /** @param {string} key */
  key(key) {
    const {campaign, branch, trial} = this.names;
    if (key === 'Escape') {
      go(withQuery(to('campaigns', campaign, 'results'), {at: this.trial?.position}));
      return true;
    }
    if (!this.hasData) return false;
    const {branches, trials} = this.trial;
    if (key === '[' || key === ']') this.attempt(() => this.toFailing(key === ']' ? 1 : -1));
    else if (key === 't') go(this.other(branch, Number(trial) % trials + 1));
    else if (LABEL_KEYS.has(key) && this.labels) this.labels.set(/** @type {string} */ (LABEL_KEYS.get(key)));
    else if (key === 'b') go(this.other(branches[(branches.indexOf(branch) + 1) % branches.length], trial));
    else return false;
    return true;
  }
}

/** @param {Api<'Transcript'>} outcome */
const verdict = (outcome) => outcome.error ? outcome.status : word(outcome.passed);

/** @param {boolean|null|undefined} passed null: no evidence */
const word = (passed) => typeof passed !== 'boolean' ? 'UNSCORED' : passed ? 'PASSED' : 'FAIL';

/**
 * The cell that was asked for an answer.
 * @param {Api<'Draw'>|null|undefined} draw null: this one
 * @param {boolean} isGone whether its campaign is deleted
 */
function origin(draw, isGone) {
  if (!draw) return null;
  const name = `${draw.campaign} · ${draw.case} · ${draw.branch} · trial ${draw.trial}`;
  const cell = isGone ? html`${name} (deleted)` : html`<a href=${to('campaigns', draw.campaign, 'cells', draw.case, draw.branch, draw.trial)}>${name}</a>`;
  return html`${cell}${draw.draw ? `, answer ${draw.draw + 1} of that cell` : ''}`;
}

customElements.define('assay-cell', Cell);
