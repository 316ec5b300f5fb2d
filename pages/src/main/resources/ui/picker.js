import {html, nothing} from './lit.js';
import {queries, query, setQuery} from './address.js';
import {get, path, withQuery} from './api.js';
import {announce} from './announce.js';
import {age, percent} from './format.js';
import {sign} from './signs.js';

const TYPING = 300;
const PAGE_SIZE = 20;

/**
 * @param {string} campaign
 * @param {AbortSignal} [signal]
 * @return {Promise<Array<string>>} ids of its branches
 */
export const branchesOf = async (campaign, signal) =>
  (await get(path('campaigns', campaign, 'progress'), signal)).branches.map((/** @type {Api<'BranchProgress'>} */ b) => b.id);

/** A list of the campaigns that have ended, and of their branches, from which a user picks what is compared. */
export class Picker {
  /**
   * @param {() => void} draw
   * @param {AbortSignal} signal
   */
  constructor(draw, signal) {
    this.draw = draw;
    this.signal = signal;
    this.isOpen = false;
    this.text = '';
    /** @type {Array<Api<'Campaign'>>|null} null: not read yet */ this.items = null;
    /** @type {string|null} */ this.next = null;
    /** @type {Map<string, Array<string>>} branches by campaign, of those that were opened */ this.branches = new Map();
    this.problem = '';
    /** @type {ReturnType<typeof setTimeout>|undefined} */ this.typing = undefined;
  }

  /**
   * Opens the list where nothing is picked yet, or where something is looked for.
   * @param {string} text what is looked for at first; '' for nothing
   */
  async start(text) {
    if (this.items || (!this.isOpen && !text && query('a') && queries('b').length)) return;
    this.isOpen = true;
    this.text = text;
    await this.list(null);
  }

  /** @param {string|null} pageToken */
  async list(pageToken) {
    const page = await get(withQuery(path('campaigns'), {q: this.text, state: ['COMPLETED', 'CANCELLED', 'FAILED'], pageSize: PAGE_SIZE, pageToken}), this.signal);
    this.items = [...(pageToken ? this.items ?? [] : []), ...page.items];
    this.next = page.nextPageToken;
    if (this.items.length === 1) await this.open(this.items[0].id);
  }

  /**
   * Reads what a user asks for; a problem is shown in the list.
   * @param {() => Promise<void>} reading
   */
  async read(reading) {
    try {
      await reading();
      this.problem = '';
    } catch (e) {
      if (this.signal.aborted) return;
      this.problem = /** @type {Error} */ (e).message;
    }
    this.draw();
  }

  /** @param {string} campaign whose branches are listed */
  async open(campaign) {
    if (!this.branches.has(campaign)) this.branches.set(campaign, await branchesOf(campaign, this.signal));
  }

  /** @param {string} ref of a campaign or a branch */
  pick(ref) {
    if (query('a')) setQuery({b: [...queries('b').filter((b) => b !== ref), ref], flip: null}, 'push');
    else setQuery({a: ref}, 'push');
    announce(`${ref} was picked`);
  }

  view() {
    const toggled = (/** @type {Event} */ e) => {
      const {open} = /** @type {HTMLDetailsElement} */ (e.target);
      if (open === this.isOpen) return;
      this.isOpen = open;
      if (open && !this.items) this.read(() => this.list(null));
    };
    const typed = (/** @type {Event} */ e) => {
      clearTimeout(this.typing);
      this.text = /** @type {HTMLInputElement} */ (e.target).value;
      this.typing = setTimeout(() => this.read(() => this.list(null)), TYPING);
    };
    return html`<details class="picker" ?open=${this.isOpen} @toggle=${toggled}><summary>Pick campaigns and branches</summary>
      <p class="bar"><label>Filter <input data-key="/" type="search" maxlength="200" .value=${this.text} @input=${typed}></label></p>
      <p class="error">${this.problem}</p>
      ${this.items === null ? nothing : this.items.length ? html`<div class="wide"><table><caption class="unseen">Campaigns that have ended, the newest first</caption>
        <thead><tr><th scope="col">Campaign</th><th scope="col">Verdict</th><th scope="col">Passed</th><th scope="col">Age</th><th scope="col">Pick</th></tr></thead>
        <tbody>${this.items.map((item) => this.row(item))}</tbody></table></div>` : html`<p class="dim">No campaign that has ended fits.</p>`}
      ${this.next ? html`<p><button type="button" @click=${() => this.read(() => this.list(this.next))}>More</button></p>` : nothing}</details>`;
  }

  /** @param {Api<'Campaign'>} item */
  row(item) {
    const taken = new Set([query('a'), ...queries('b')]);
    const branches = this.branches.get(item.id);
    const button = (/** @type {string} */ ref, /** @type {string} */ label) => html`<button type="button" ?disabled=${taken.has(ref)} @click=${() => this.pick(ref)}>${label}<span class="unseen"> of ${item.id}</span></button> `;
    return html`<tr><th scope="row">${item.name}<br><small class="dim">${item.id}</small></th><td>${sign(item.verdict ?? item.state)}</td><td>${percent(item.passRate.value)}</td><td>${age(item.createdAt)}</td>
      <td>${branches ? branches.map((branch) => button(`${item.id}:${branch}`, branch)) : html`<button type="button" @click=${() => this.read(() => this.open(item.id))}>Branches<span class="unseen"> of ${item.id}</span></button>`}</td></tr>`;
  }
}
