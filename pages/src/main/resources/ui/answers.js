import {get, path, withQuery} from './api.js';
import {State, state} from './cells.js';

/** Places that one request may name. */
const MOST = 200;
/** More than screens show. */
const MOST_IN_VIEW = 1000;
const KEPT = 4000;

/** The beginning of answers: read as they come into view, and again when their cell has changed. */
export class Answers {
  /**
   * @param {string} campaign
   * @param {AbortSignal} signal ends it
   * @param {() => void} arrived is told after each request
   */
  constructor(campaign, signal, arrived) {
    this.campaign = campaign;
    this.signal = signal;
    this.arrived = arrived;
    /** @type {Map<number, {cell: number, answer: Api<'AnswerExcerpt'>|null}>} by place, the longest known first */ this.known = new Map();
    /** @type {{cells: import('./cells.js').Cells, places: Array<number>}|null} what is in view */ this.wanted = null;
    this.reading = false;
  }

  /**
   * @param {number} place of a cell
   * @return {Api<'AnswerExcerpt'>|null|undefined} null: it has none; undefined: not read yet
   */
  at(place) {
    return this.known.get(place)?.answer;
  }

  /**
   * Reads what is missing. While it reads, only what is asked for last is read next: a list that scrolls fast asks for little.
   * @param {import('./cells.js').Cells} cells
   * @param {Array<number>} places that are in view
   */
  async need(cells, places) {
    this.wanted = {cells, places: places.slice(0, MOST_IN_VIEW)};
    if (this.reading) return;
    this.reading = true;
    try {
      while (await this.readSome());
    } catch {
      // The rows stay without answers; they are asked for again when the list is drawn again.
    } finally {
      this.reading = false;
    }
  }

  /** @return {Promise<boolean>} whether something was missing */
  async readSome() {
    const {cells, places} = /** @type {NonNullable<typeof this.wanted>} */ (this.wanted);
    const missing = places.filter((place) => this.known.get(place)?.cell !== cells.bytes[place]).slice(0, MOST);
    if (!missing.length) return false;
    // The cells may change while they are read.
    const asked = missing.map((place) => ({place, cell: cells.bytes[place]}));
    const recorded = asked.filter(({cell}) => state(cell) !== State.OPEN).map(({place}) => place);
    /** @type {Array<Api<'AnswerExcerpt'>>} */ const items = recorded.length
      ? (await get(withQuery(path('campaigns', this.campaign, 'answers'), {places: recorded.join(',')}), this.signal)).items : [];
    const found = new Map(items.map((item) => [item.place, item]));
    for (const {place, cell} of asked) {
      this.known.delete(place);
      this.known.set(place, {cell, answer: found.get(place) ?? null});
    }
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KEPT) break;
      this.known.delete(oldest);
    }
    this.arrived();
    return true;
  }
}
