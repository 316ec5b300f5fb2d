import {html, repeat, nothing} from '../lit.js';
import {get, path, withQuery} from '../api.js';
import {go, query, setQuery, to} from '../address.js';
import {announce} from '../announce.js';
import {ORDER_GIVEN, age, count, interval, money, percent} from '../format.js';
import {progressBar, sign} from '../signs.js';
import {moveInRows} from '../rows.js';
import {Page} from './page.js';

const STATES = ['PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED'];
const VERDICTS = ['PASS', 'FAIL', 'INCONCLUSIVE'];
const PAGE_SIZE = 50;
const AGAIN = 5000;
const TYPING = 300;

/** All campaigns, the newest first. */
class Campaigns extends Page {
  constructor() {
    super();
    /** @type {Array<Api<'Campaign'>>} */ this.items = [];
    /** @type {string|null} */ this.next = null;
    /** @type {Set<string>} ids of what is ticked */ this.ticked = new Set();
  }

  connectedCallback() {
    document.title = 'Campaigns · Assay';
    super.connectedCallback();
    const timer = setInterval(() => document.hidden || this.items.length > PAGE_SIZE || this.load(), AGAIN);
    this.life.signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** @param {string|null} pageToken */
  list(pageToken) {
    const filters = Object.fromEntries(['q', 'state', 'suite', 'verdict'].map((name) => [name, query(name)]));
    return get(withQuery(path('campaigns'), {...filters, pageToken, pageSize: PAGE_SIZE}), this.life.signal);
  }

  async read() {
    const page = await this.list(null);
    this.items = page.items;
    this.next = page.nextPageToken;
  }

  more() {
    return this.attempt(async () => {
      const page = await this.list(this.next);
      this.items = [...this.items, ...page.items];
      this.next = page.nextPageToken;
    });
  }

  get isFiltered() {
    return ['q', 'state', 'suite', 'verdict'].some((name) => query(name));
  }

  view() {
    return html`<h1>Campaigns</h1>
      ${this.filters()}
      ${this.items.length ? this.table() : this.empty()}
      ${this.next ? html`<p><button type="button" @click=${() => this.more()}>More</button></p>` : nothing}`;
  }

  filters() {
    const typed = (/** @type {string} */ name) => (/** @type {Event} */ e) => {
      clearTimeout(this.typing);
      const value = /** @type {HTMLInputElement} */ (e.target).value;
      this.typing = setTimeout(() => setQuery({[name]: value}), TYPING);
    };
    const chosen = (/** @type {string} */ name) => (/** @type {Event} */ e) =>
      setQuery({[name]: /** @type {HTMLSelectElement} */ (e.target).value}, 'push');
    const select = (/** @type {string} */ name, /** @type {string} */ label, /** @type {Array<string>} */ words) => html`<label>${label}
      <select @change=${chosen(name)}><option value="" ?selected=${!query(name)}>any</option>
        ${words.map((word) => html`<option ?selected=${query(name) === word}>${word}</option>`)}</select></label>`;
    return html`<form class="bar" role="search" @submit=${(/** @type {Event} */ e) => e.preventDefault()}>
      <label>Text <input data-key="/" type="search" .value=${query('q')} @input=${typed('q')} maxlength="200"></label>
      <label>Suite <input type="search" .value=${query('suite')} @input=${typed('suite')} maxlength="200"></label>
      ${select('state', 'State', STATES)} ${select('verdict', 'Verdict', VERDICTS)}
      ${this.compareLink()}</form>`;
  }

  /** The oldest of what is ticked is the baseline. */
  compareLink() {
    const [a, ...b] = this.items.map((item) => item.id).filter((id) => this.ticked.has(id)).reverse();
    return b.length ? html`<a class="button" href=${withQuery(to('compare'), {a, b})}>Compare the ${count(b.length + 1)}</a>`
      : html`<span class="dim">Tick campaigns to compare them.</span>`;
  }

  empty() {
    return this.isFiltered
      ? html`<p>No campaign fits. <a href="/ui/">Show all</a></p>`
      : html`<section class="empty"><p>There is no campaign yet. Start one:</p><pre>assay run examples/quickstart/campaign.yaml</pre></section>`;
  }

  table() {
    return html`<div class="wide"><table class="rows"><caption class="unseen">Campaigns, the newest first</caption>
      <thead><tr><th scope="col"><span class="unseen">Compare</span></th><th scope="col">Name</th><th scope="col">Suite</th><th scope="col">State</th>
        <th scope="col">Health</th><th scope="col">Cells</th><th scope="col">Verdict</th><th scope="col">Passed cells, interval</th>
        <th scope="col">Cost of budget</th><th scope="col">Age</th></tr></thead>
      <tbody>${repeat(this.items, (item) => item.id, (item) => this.row(item))}</tbody></table></div>`;
  }

  /** @param {Api<'Campaign'>} item */
  row(item) {
    const {cellsDone, cellsTotal} = item.progress;
    const rate = item.passRate;
    return html`<tr>
      <td><label class="tick"><input type="checkbox" .checked=${this.ticked.has(item.id)}
        @change=${() => this.tick(item.id)}><span class="unseen">Compare ${item.name} ${item.id}</span></label></td>
      <th scope="row"><a data-row href=${to('campaigns', item.id)}>${item.name}</a><br><small class="dim">${item.id}</small></th>
      <td>${item.suite}</td><td>${sign(item.state)}</td><td>${sign(item.health?.status)}</td>
      <td>${progressBar(cellsDone, cellsTotal, `Cells of ${item.name}`)}</td><td>${sign(item.verdict)}</td>
      <td>${percent(rate.value)} <small class="dim">${count(rate.passed)}/${count(rate.known)}<br>${interval(rate)}${rate.why === 'ORDER_GIVEN' ? html` <span title=${ORDER_GIVEN}>so far</span>` : ''}</small></td>
      <td>${money(item.costUsd)} <small class="dim">of ${item.budgetUsd === null ? 'no budget' : money(item.budgetUsd)}</small></td>
      <td><time datetime=${item.createdAt}>${age(item.createdAt)}</time></td></tr>`;
  }

  /** @param {string} id */
  tick(id) {
    if (!this.ticked.delete(id)) this.ticked.add(id);
    announce(`${this.ticked.size} ticked`);
    this.draw();
  }

  /** @param {string} key */
  key(key) {
    return moveInRows(this, key) || (key === 'Escape' && this.isFiltered && (go('/ui/'), true));
  }
}

customElements.define('assay-campaigns', Campaigns);
