import {html, nothing} from '../lit.js';
import {get, path} from '../api.js';
import {count, time} from '../format.js';
import {progressBar} from '../signs.js';
import {Page} from './page.js';

const AGAIN = 2000;

/** The providers that can be asked, and what is used of their limits. */
class Providers extends Page {
  constructor() {
    super();
    /** @type {Array<Api<'OneProvider'>>} */ this.providers = [];
  }

  connectedCallback() {
    document.title = 'Providers · Assay';
    super.connectedCallback();
    const timer = setInterval(() => document.hidden || this.load(), AGAIN);
    this.life.signal.addEventListener('abort', () => clearInterval(timer));
  }

  async read() {
    const {items} = await get(path('providers'), this.life.signal);
    this.providers = await Promise.all(items.map((/** @type {{name: string}} */ one) =>
      get(path('providers', one.name), this.life.signal)));
  }

  view() {
    return html`<h1>Providers</h1>${this.providers.length ? this.providers.map((one) => this.provider(one))
      : html`<section class="empty"><p>No live worker reports a provider.</p></section>`}`;
  }

  /** @param {Api<'OneProvider'>} one */
  provider(one) {
    return html`<h2>${one.name}</h2>
      <p class="dim">${one.hasKey ? html`${count(one.workers)} ${one.workers === 1 ? 'worker asks' : 'workers ask'} it,
        ${count(one.maxConcurrent)} calls at once at most.` : 'No live worker has a key for it.'}</p>
      ${one.pools.length ? this.limits(one) : nothing}`;
  }

  /** @param {Api<'OneProvider'>} one */
  limits(one) {
    return html`<div class="wide" tabindex="0" role="region" aria-label=${`Limits of ${one.name}`}><table><thead><tr>
      <th scope="col">Models</th><th scope="col">Limit</th><th scope="col">Allowed</th><th scope="col">In use</th><th scope="col">Free</th>
      <th scope="col">Why</th><th scope="col">Waiting</th></tr></thead><tbody>
      ${one.pools.map((pool) => pool.limits.map((limit) => html`<tr>
        <th scope="row">${pool.models}<br><small>${pool.account}</small></th><td>${limit.name}</td><td class="number">${count(limit.limit)}</td>
        <td>${progressBar(limit.used, limit.limit, `In use of ${limit.name} of ${pool.models}`)} <span class="number">${count(limit.used)}</span></td>
        <td class="number">${count(limit.free)}</td><td>${limit.why}</td>
        <td class="number">${count(pool.waiting)}${pool.waitingSince ? html`<br><small>since ${time(pool.waitingSince)}</small>` : nothing}</td></tr>`))}
      </tbody></table></div>`;
  }
}

customElements.define('assay-providers', Providers);
