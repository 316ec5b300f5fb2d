import {html, render} from '../lit.js';
import {Problem} from '../api.js';

/**
 * A page: an element that reads its data, draws it, and shows what went wrong. Data that was shown stays when a later reading fails,
 * and is marked.
 */
export class Page extends HTMLElement {
  constructor() {
    super();
    /** @type {Record<string, string>} what its address names */ this.names = {};
    /** @type {Problem|null} */ this.problem = null;
    this.hasData = false;
    /** @type {Promise<void>} the newest reading that began */ this.reading = Promise.resolve();
    /** @type {Promise<void>|null} the one that begins after it */ this.nextReading = null;
    this.life = new AbortController();
  }

  connectedCallback() {
    this.draw();
    this.load();
  }

  disconnectedCallback() {
    this.life.abort();
  }

  /**
   * Reads again, and draws. One reading follows the other, so that none that is older is shown last; one that has not begun is for all
   * that ask.
   * @return {Promise<void>} when a reading that began after now was drawn
   */
  load() {
    const begin = () => {
      this.nextReading = null;
      return this.reading = this.attempt(async () => {
        await this.read();
        this.hasData = true;
      });
    };
    return this.nextReading ??= this.reading.then(begin, begin);
  }

  /**
   * Does what may fail, and draws; a problem is shown.
   * @param {() => Promise<unknown>} action
   */
  async attempt(action) {
    try {
      await action();
      this.problem = null;
    } catch (e) {
      if (this.life.signal.aborted) return;
      if (!(e instanceof Problem)) throw e;
      this.problem = e;
    }
    this.draw();
  }

  draw() {
    const content = this.hasData ? html`${this.problem ? this.trouble(this.problem) : ''}${this.view()}`
      : this.problem ? this.trouble(this.problem) : html`<div class="skeleton" aria-label="Loading" role="img"></div>`;
    render(content, this);
    this.drawn();
  }

  /** @param {Problem} problem */
  trouble(problem) {
    return html`<section class="trouble" role="alert"><p>${problem.message}</p>
      <p class="dim">${problem.code}${problem.requestId ? html` · request ${problem.requestId}` : ''}${this.hasData ? ' · what you see is older' : ''}</p>
      <button type="button" @click=${() => this.load()}>Retry</button></section>`;
  }

  /** The address changed, and not the page. */
  addressChanged() {
    this.load();
  }

  /** After each drawing. */
  drawn() {}

  /** Reads the page's data; life.signal ends it. */
  async read() {}

  /** @return {unknown} what lit-html renders */
  view() {
    return '';
  }

  /**
   * @param {string} key that was pressed
   * @return {boolean} whether it meant something here
   */
  key(key) {
    return false;
  }
}
