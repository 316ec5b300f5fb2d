import {html, nothing, repeat} from '../lit.js';
import {get, path, send, withQuery} from '../api.js';
import {go, query, setQuery, to} from '../address.js';
import {announce} from '../announce.js';
import {ANSWER_ROW, answerOf, signsOf, wordsOf} from '../answer-row.js';
import {Answers} from '../answers.js';
import {FILTERS, stateOf} from '../cells.js';
import {Cases, idsOf, positionsOf} from '../cases.js';
import {askUser} from '../dialog.js';
import {download} from '../download.js';
import {follow} from '../events.js';
import {asksBranches, choosesAny, count, counted, percent} from '../format.js';
import {readMatrix, stepMatrix} from '../matrix.js';
import {drawMap} from '../map.js';
import {sign} from '../signs.js';
import {showAnswer} from '../whole-answer.js';
import {Window} from '../window.js';
import {Page} from './page.js';

const ENDED = ['COMPLETED', 'CANCELLED', 'FAILED'];
const TYPING = 300;
/** How many tags are shown beside each other, those of most cases. */
const TAGS = 20;
/** Filters of which the server knows what they keep. */
const FLIPPED = 'flipped';
const LABELS = ['pass', 'fail', 'unsure', 'none', 'disagrees'];
/** Cases that are named in one request to run them again. */
const MOST_RERUN = 5000;
/** How tall a row of signs is, and the heads of both views, in pixels; style.css says the same. */
const SIGN_ROW = 28;
const HEAD = 44;

/** Cases × branches: their answers, or a sign for each trial. Holds the rows in view only. */
class Results extends Page {
  constructor() {
    super();
    /** @type {import('../cells.js').Cells|null} */ this.cells = null;
    /** @type {Array<string>} */ this.branches = [];
    /** @type {Api<'Campaign'>} read before anything is drawn */ this.campaign = /** @type {any} */ (null);
    /** @type {Array<{passed: number, decided: number}>} by branch, of the cases that are shown */ this.shares = [];
    /** @type {Array<{tag: string, cases: number}>} */ this.tags = [];
    /** @type {Uint32Array} positions of the cases that are shown */ this.rows = new Uint32Array(0);
    /** @type {Set<number>|null} what text and tag leave; null: all */ this.found = null;
    this.foundFor = '';
    /** @type {Array<{tag: string, positions: Set<number>}>|null} null: not asked for */ this.byTag = null;
    /** @type {import('../events.js').Connection} */ this.connection = 'reconnecting';
    this.selected = 0;
    this.branch = 0;
    this.frame = 0;
    this.window = new Window(ANSWER_ROW, HEAD);
    /** @type {() => void} */ this.stop = () => {};
  }

  get id() {
    return this.names.campaign;
  }

  connectedCallback() {
    this.cases = new Cases(this.id, () => this.schedule());
    this.answers = new Answers(this.id, this.life.signal, () => this.schedule());
    document.title = `Results of ${this.id} · Assay`;
    super.connectedCallback();
    this.watch();
    this.life.signal.addEventListener('abort', () => this.stop());
  }

  /** Once more after a re-run: what has ended goes on. */
  watch() {
    this.stop();
    this.stop = follow(withQuery(path('campaigns', this.id, 'events'), {matrix: true}), {
      event: (name, data) => name === 'progress' ? ENDED.includes(data.state) : this.step(data),
      connection: (now) => {
        this.connection = now;
        this.draw();
      },
    });
  }

  /** @param {import('../matrix.js').Step} step */
  step(step) {
    if (!this.cells) return;
    const cells = stepMatrix(this.id, step);
    if (cells) {
      this.cells = cells;
      this.filter();
      this.draw();
    } else {
      this.load();
    }
  }

  async read() {
    const start = performance.now();
    const [cells] = await Promise.all([readMatrix(this.id, this.life.signal), this.readNames().then(() => this.readFound())]);
    this.cells = cells;
    this.filter();
    performance.measure('results-read', {start});
  }

  async readNames() {
    if (this.campaign) return;
    const of = (/** @type {Array<string>} */ ...segments) => get(path('campaigns', this.id, ...segments), this.life.signal);
    const [campaign, progress] = await Promise.all([of(), of('progress')]);
    this.campaign = campaign;
    this.branches = progress.branches.map((/** @type {Api<'BranchProgress'>} */ b) => b.id);
  }

  /** Only proposals: the page does not wait for them. */
  readTags() {
    return this.attempt(async () => {
      this.tags = (await get(path('campaigns', this.id, 'tags'), this.life.signal)).items;
    });
  }

  /** What the server is asked to look for. */
  get wanted() {
    const slow = Number(query('slow'));
    const only = query('filter') === FLIPPED ? FLIPPED : null;
    return {only, label: query('label'), q: query('q'), tag: query('tag'), failedCheck: query('check'), slowerThanMs: slow > 0 ? Math.round(slow * 1000) : null};
  }

  async readFound() {
    const {wanted} = this;
    const ofAnswers = wanted.only || wanted.label || wanted.failedCheck || wanted.slowerThanMs;
    const asked = {...wanted, branchId: ofAnswers ? this.filteredBranchId : null};
    const key = JSON.stringify(asked);
    if (key === this.foundFor) return;
    this.found = wanted.q || wanted.tag || ofAnswers ? await positionsOf(this.id, asked, this.life.signal) : null;
    this.foundFor = key;
  }

  /** The branch that filters look at; null: all. */
  get filteredBranch() {
    const at = this.branches.indexOf(query('branch'));
    return at < 0 ? null : at;
  }

  /** Its name, for the API. */
  get filteredBranchId() {
    return this.filteredBranch === null ? null : this.branches[this.filteredBranch];
  }

  /** Whether only signs are shown. */
  get isDense() {
    return query('view') === 'signs';
  }

  /** Whether the strategy says something of the answers. */
  get chooses() {
    return choosesAny(this.campaign.strategy);
  }

  /**
   * The trial of which a branch's answer is shown: the one that the address names, else one that did not pass.
   * @param {import('../cells.js').Cells} cells
   * @param {number} position
   * @param {number} branch
   * @return {number} from 0
   */
  trialOf(cells, position, branch) {
    const named = Number(query('trial'));
    return Number.isInteger(named) && named >= 1 && named <= cells.trials ? named - 1 : cells.trialToRead(position, branch);
  }

  filter() {
    const start = performance.now();
    const cells = /** @type {import('../cells.js').Cells} */ (this.cells);
    const found = this.found;
    let rows = cells.filtered(query('filter'), this.filteredBranch, found ? (c) => found.has(c) : undefined);
    if (query('sort') === 'worst') rows = cells.worstFirst(rows, this.filteredBranch);
    const changed = rows.length !== this.rows.length;
    this.rows = rows;
    this.shares = this.branches.map((_, b) => cells.share(rows, b));
    const row = this.isDense ? SIGN_ROW : ANSWER_ROW;
    if (this.window.row !== row) this.window = new Window(row, HEAD);
    const wanted = Number(query('at'));
    this.selected = Math.max(0, rows.indexOf(query('at') === '' ? -1 : wanted));
    this.branch = this.filteredBranch ?? Math.min(this.branch, Math.max(0, cells.branches - 1));
    performance.measure('results-filter', {start});
    if (changed) announce(`${count(rows.length)} cases shown`);
  }

  view() {
    const cells = /** @type {import('../cells.js').Cells} */ (this.cells);
    return html`<nav aria-label="Above"><a href="/ui/">Campaigns</a> <a href=${to('campaigns', this.id)}>${this.campaign.name}</a></nav>
      <h1>Results <small>${this.campaign.name}</small></h1>
      ${this.filters()}
      <p class="bar"><span role="status" aria-label="Connection">${sign(this.connection)}</span>
        <span role="group" aria-label="View">${[['', 'Answers'], ['signs', 'Signs']].map(([view, label]) => html`<button type="button" aria-pressed=${String(query('view') === view)}
          @click=${() => setQuery({view}, 'push')}>${label}</button> `)}</span>
        <span class="dim">${count(this.rows.length)} of ${counted(cells.cases, 'case')} × ${counted(cells.branches, 'branch', 'branches')} × ${counted(cells.trials, 'trial')} ·
        ● passed ✕ failed ! errored ○ no evidence · open${this.chooses ? '; underlined: chosen' : ''}${this.campaign.scoring ? '; ●→✕: passed before this scoring, and fails now' : ''}</span>
        ${this.exports()} ${asksBranches(this.campaign) ? html`<button type="button" ?disabled=${!this.rows.length} @click=${() => this.rerun()}>Run these again …</button>` : nothing}</p>
      ${this.tagged(cells)}
      ${this.rows.length ? this.grid(cells) : html`<section class="empty"><p>No case fits. <button type="button" @click=${() => this.reset()}>Show all</button></p></section>`}`;
  }

  reset() {
    setQuery({filter: null, branch: null, label: null, q: null, tag: null, check: null, slow: null, sort: null, at: null}, 'push');
  }

  filters() {
    const typed = (/** @type {string} */ name) => (/** @type {Event} */ e) => {
      clearTimeout(this.typing);
      const value = /** @type {HTMLInputElement} */ (e.target).value;
      this.typing = setTimeout(() => setQuery({[name]: value, at: null}), TYPING);
    };
    const offered = Object.entries(FILTERS).filter(([name]) => name !== 'undecided' || this.chooses || query('filter') === name);
    const toggle = (/** @type {string} */ name) => setQuery({filter: query('filter') === name ? null : name, at: null}, 'push');
    return html`<form class="bar" role="search" aria-label="Filter cases" @submit=${(/** @type {Event} */ e) => e.preventDefault()}>
      ${offered.map(([name, {says}]) => html`<button type="button" title=${says} aria-pressed=${String(query('filter') === name)} @click=${() => toggle(name)}>${name}</button>`)}
      ${this.campaign.scoring ? html`<button type="button" title="a trial is judged otherwise than before" aria-pressed=${String(query('filter') === FLIPPED)} @click=${() => toggle(FLIPPED)}>${FLIPPED}</button>` : nothing}
      <label>Branch <select @change=${(/** @type {Event} */ e) => setQuery({branch: /** @type {HTMLSelectElement} */ (e.target).value, at: null}, 'push')}>
        <option value="" ?selected=${!query('branch')}>any</option>${this.branches.map((b) => html`<option ?selected=${query('branch') === b}>${b}</option>`)}</select></label>
      <label>People say <select @change=${(/** @type {Event} */ e) => setQuery({label: /** @type {HTMLSelectElement} */ (e.target).value, at: null}, 'push')}>
        <option value="" ?selected=${!query('label')}>anything</option>${LABELS.map((l) => html`<option ?selected=${query('label') === l}>${l}</option>`)}</select></label>
      <label>Text <input data-key="/" type="search" maxlength="200" .value=${query('q')} @input=${typed('q')}></label>
      <label>Tag <input type="search" maxlength="200" list="tags" .value=${query('tag')} @input=${typed('tag')}></label>
      <datalist id="tags">${this.tags.map(({tag, cases}) => html`<option value=${tag}>${count(cases)} cases</option>`)}</datalist>
      <label>Failed check <input type="search" maxlength="200" .value=${query('check')} title="its type or its metric" @input=${typed('check')}></label>
      ${this.campaign.trials > 1 && !this.isDense ? html`<label>Trial <input type="number" min="1" max=${this.campaign.trials} placeholder="not passed" .value=${query('trial')} @input=${typed('trial')}></label>` : nothing}
      <label>Slower than, s <input type="number" min="0" step="any" .value=${query('slow')} @input=${typed('slow')}></label>
      <button type="button" aria-pressed=${String(query('sort') === 'worst')} @click=${() => setQuery({sort: query('sort') ? null : 'worst', at: null}, 'push')}>worst first</button></form>`;
  }

  /** Files with the outcomes of the cases that are shown. */
  exports() {
    const only = Object.hasOwn(FILTERS, query('filter')) ? query('filter') : this.wanted.only;
    const wanted = {...this.wanted, only, branchId: this.filteredBranchId};
    return ['csv', 'jsonl'].map((format) => {
      const address = withQuery(path('campaigns', this.id, 'export'), {format, ...wanted});
      return html`<a class="button" href=${address} download=${`${this.id}.${format}`} title="Outcomes of the cases that are shown" @click=${download}>Export ${format.toUpperCase()}</a>`;
    });
  }

  /** Opens what did not pass among the cases that are shown. */
  async rerun() {
    const {rows} = this;
    if (rows.length > MOST_RERUN) {
      return askUser({title: 'Run these again', accept: null, body: html`<p>${count(rows.length)} cases are shown; at most ${count(MOST_RERUN)} can be run again at once. Filter them further.</p>`});
    }
    const branches = this.filteredBranchId === null ? [] : [this.filteredBranchId];
    await askUser({
      title: 'Run these again',
      accept: 'Run again',
      body: html`<p>Opens what did not pass among ${count(rows.length)} cases${branches.map((b) => ` of branch ${b}`)} again, with all attempts, which costs money.
        Cells that passed are never asked again; what they recorded before is kept.</p>`,
      act: async () => {
        const ids = await idsOf(this.id, rows.toSorted());
        const {state: now} = await send('POST', path('campaigns', this.id, 'rerun'), {cases: ids, branches});
        announce(`The campaign is ${now}`);
        this.watch();
        this.load();
      },
    });
  }

  /**
   * Which share of the trials passed, by tag and branch; read on demand.
   * @param {import('../cells.js').Cells} cells
   */
  tagged(cells) {
    if (!this.tags.length) return nothing;
    const shown = this.tags.slice(0, TAGS);
    const opened = (/** @type {Event} */ e) => /** @type {HTMLDetailsElement} */ (e.target).open && !this.byTag && this.attempt(async () => {
      this.byTag = await Promise.all(shown.map(async ({tag}) => ({tag, positions: await positionsOf(this.id, {tag}, this.life.signal)})));
    });
    const cell = (/** @type {Set<number>} */ positions, /** @type {number} */ branch) => {
      const {passed, decided} = cells.share(positions, branch);
      return html`<td class="share" .style=${`--share:${decided ? Math.round(100 - passed / decided * 100) : 0}%`}>${decided ? percent(passed / decided) : '–'} <small>${count(passed)}/${count(decided)}</small></td>`;
    };
    return html`<details @toggle=${opened}><summary>Trials passed of those that passed or failed, by tag</summary>${this.byTag === null ? '…' : html`<div class="wide"><table>
      <caption class="dim">${this.tags.length > TAGS ? `The ${TAGS} tags of most cases.` : 'Every tag.'} A case with several tags counts for each. Nothing is filtered here.</caption>
      <thead><tr><th scope="col">Tag</th>${this.branches.map((b) => html`<th scope="col">${b}</th>`)}</tr></thead>
      <tbody>${this.byTag.map(({tag, positions}) => html`<tr><th scope="row"><button type="button" @click=${() => setQuery({tag, at: null}, 'push')}>${tag}</button> <small class="dim">${count(positions.size)} cases</small></th>
        ${this.branches.map((_, b) => cell(positions, b))}</tr>`)}</tbody></table></div>`}</details>`;
  }

  /** @param {import('../cells.js').Cells} cells */
  grid(cells) {
    const {first, last, shift, height} = this.window.over(this.rows.length);
    const shown = Array.from(this.rows.subarray(first, last), (position, i) => ({position, at: first + i}));
    this.cases?.need(shown.map((row) => row.position));
    if (!this.isDense || this.campaign.scoring) this.needAnswers(cells, shown.map((row) => row.position));
    const row = this.isDense ? this.signLine : this.answerLine;
    const head = (/** @type {string} */ name, /** @type {number} */ b) => {
      const {passed, decided} = this.shares[b];
      return html`<span role="columnheader"><bdi>${name}</bdi> <small title="trials passed of those that passed or failed, among the cases shown">${decided ? percent(passed / decided) : '–'} ${count(passed)}/${count(decided)}</small></span>`;
    };
    return html`<div class="results"><div class=${this.isDense ? 'matrix' : 'matrix answers'} .style=${`--branches:${cells.branches}`}>
      <div class="view" role="grid" tabindex="0" aria-label="Results" aria-rowcount=${this.rows.length + 1} aria-colcount=${cells.branches + 1} @scroll=${() => this.schedule()}><div class="lines" role="presentation">
        <div role="rowgroup" class="heads"><div class="line head" role="row" aria-rowindex="1"><span role="columnheader">Case</span>${this.branches.map(head)}</div></div>
        <div class="space" role="rowgroup" .style=${`height:${height}px`}>${repeat(shown, (r) => r.position, (r) => row.call(this, cells, r.position, r.at, shift))}</div></div></div></div>
      <div class="map"><canvas aria-hidden="true" @click=${(/** @type {MouseEvent} */ e) => this.jump(e.offsetY / /** @type {HTMLElement} */ (e.target).clientHeight)}></canvas></div></div>`;
  }

  /**
   * @param {import('../cells.js').Cells} cells
   * @param {Array<number>} positions
   */
  needAnswers(cells, positions) {
    const trials = (/** @type {number} */ position, /** @type {number} */ b) => this.isDense ? cells.trialsOf(position, b).keys() : [this.trialOf(cells, position, b)];
    this.answers?.need(cells, positions.flatMap((position) => this.branches.flatMap((_, b) => Array.from(trials(position, b), (t) => cells.place(position, b, t)))));
  }

  /**
   * @param {import('../cells.js').Cells} cells
   * @param {number} position of the case
   * @param {number} at number of the row, from 0
   * @param {number} shift pixels
   */
  signLine(cells, position, at, shift) {
    const one = this.cases?.at(position);
    return html`<div class="line" role="row" aria-rowindex=${at + 2} aria-selected=${String(at === this.selected)} .style=${`top:${this.window.top(at) + shift}px`} @click=${() => this.select(at)}>
      <span role="rowheader" title=${one?.prompt ?? ''}>${one?.id ?? `#${position + 1}`} <span class="dim">${one?.prompt ?? '…'}</span></span>
      ${this.branches.map((name, b) => {
        const trials = cells.trialsOf(position, b);
        const {passed, decided} = cells.share([position], b);
        const before = trials.map((_, t) => this.saidBefore(cells.place(position, b, t)));
        return html`<span role="gridcell" class="signs" aria-label=${`${name}: ${wordsOf(trials, this.chooses, before)}`} aria-selected=${String(at === this.selected && b === this.branch)}
          @click=${(/** @type {Event} */ e) => this.open(e, at, b)}>${signsOf(trials, this.chooses, before)}${trials.length > 1 ? html` <small>${passed}/${decided}</small>` : nothing}</span>`;
      })}</div>`;
  }

  /**
   * @param {import('../cells.js').Cells} cells
   * @param {number} position of the case
   * @param {number} at number of the row, from 0
   * @param {number} shift pixels
   */
  answerLine(cells, position, at, shift) {
    const one = this.cases?.at(position);
    return html`<div class="line" role="row" aria-rowindex=${at + 2} aria-selected=${String(at === this.selected)} .style=${`top:${this.window.top(at) + shift}px`} @click=${() => this.select(at)}>
      <div role="rowheader" class="question"><b>${one?.id ?? `#${position + 1}`}</b> <span class="asked" title=${one?.prompt ?? ''}>${one?.prompt ?? '…'}</span>
        ${typeof one?.expected === 'string' ? html`<span class="expected dim">Expected: ${one.expected}</span>` : nothing}</div>
      ${this.branches.map((_, b) => {
        const trial = this.trialOf(cells, position, b);
        return html`<div role="gridcell" class="answer" aria-selected=${String(at === this.selected && b === this.branch)} @click=${() => this.choose(b)}>${answerOf({
          answer: this.answers?.at(cells.place(position, b, trial)), trials: cells.trialsOf(position, b), trial, before: this.saidBefore(cells.place(position, b, trial)), chooses: this.chooses,
          address: one ? this.addressOf(one.id, b, trial) : null, showWhole: () => this.showWhole(position, b)})}</div>`;
      })}</div>`;
  }

  /**
   * What was said of a cell before this scoring.
   * @param {number} place
   * @return {number|undefined} its state; undefined: the same, or this is no scoring, or it is not read yet
   */
  saidBefore(place) {
    const answer = this.campaign.scoring ? this.answers?.at(place) : null;
    return answer && answer.passedBefore !== answer.passed ? stateOf(answer.passedBefore) : undefined;
  }

  /**
   * @param {string} caseId
   * @param {number} branch
   * @param {number} trial from 0
   */
  addressOf(caseId, branch, trial) {
    return to('campaigns', this.id, 'cells', caseId, this.branches[branch], trial + 1);
  }

  /** @param {number} branch the keys are about it, from now on */
  choose(branch) {
    this.branch = branch;
  }

  /**
   * @param {number} position
   * @param {number} branch
   */
  async showWhole(position, branch) {
    const cells = /** @type {import('../cells.js').Cells} */ (this.cells);
    const one = this.cases?.at(position);
    const trial = this.trialOf(cells, position, branch);
    if (one && this.answers?.at(cells.place(position, branch, trial))) await showAnswer(this.id, one.id, this.branches[branch], trial + 1, this.addressOf(one.id, branch, trial));
  }

  drawn() {
    const view = this.querySelector('.view');
    if (view && this.window.view !== view) {
      this.window.view = view;
      performance.mark('results-shown');
      if (!this.tags.length) this.readTags();
      if (query('at')) this.window.show(this.selected, this.rows.length);
      this.schedule();
    }
    const map = /** @type {HTMLCanvasElement|null} */ (this.querySelector('.map canvas'));
    if (map && this.cells) drawMap(map, this.cells, this.rows);
  }

  schedule() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** @param {number} share of the rows, 0–1 */
  jump(share) {
    this.select(Math.floor(share * this.rows.length));
  }

  /** @param {number} at number of a row */
  select(at) {
    this.selected = Math.max(0, Math.min(this.rows.length - 1, at));
    this.window.show(this.selected, this.rows.length);
    const position = this.rows[this.selected];
    const url = new URL(location.href);
    url.searchParams.set('at', String(position));
    history.replaceState(null, '', url);
    announce(`${this.cases?.at(position)?.id ?? `case ${position + 1}`}, ${this.branches[this.branch]}`);
    this.draw();
  }

  /**
   * @param {Event} e
   * @param {number} at
   * @param {number} branch
   */
  open(e, at, branch) {
    e.stopPropagation();
    this.branch = branch;
    this.select(at);
    this.openSelected();
  }

  async openSelected() {
    const position = this.rows[this.selected];
    await this.cases?.need([position]);
    const one = this.cases?.at(position);
    const cells = /** @type {import('../cells.js').Cells} */ (this.cells);
    if (one) go(this.addressOf(one.id, this.branch, this.trialOf(cells, position, this.branch)));
  }

  /** @param {number} step */
  nextFailing(step) {
    const cells = /** @type {import('../cells.js').Cells} */ (this.cells);
    for (let at = this.selected + step; at >= 0 && at < this.rows.length; at += step) {
      if (cells.tally(this.rows[at], this.filteredBranch).bad) return this.select(at);
    }
    announce('No other case fails');
  }

  /** @param {string} key */
  key(key) {
    const page = this.window.rowsInView;
    const step = {j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: page, PageUp: -page, End: this.rows.length, Home: -this.rows.length}[key];
    if (key === 'Escape') go(to('campaigns', this.id));
    else if (!this.cells || !this.rows.length) return false;
    else if (step !== undefined) this.select(this.selected + step);
    else if (key === '[' || key === ']') this.nextFailing(key === ']' ? 1 : -1);
    else if (key === 'b') {
      this.branch = (this.branch + 1) % this.branches.length;
      this.select(this.selected);
    } else if (key === 'w') {
      this.showWhole(this.rows[this.selected], this.branch);
    } else if (key === 'Enter' && !document.activeElement?.matches('a, button, input, select')) {
      this.openSelected();
    } else return false;
    return true;
  }
}

customElements.define('assay-results', Results);
