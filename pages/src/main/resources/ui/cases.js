import {get, path, withQuery} from './api.js';

/** More than a screen shows, and few enough that a jump waits for little. */
const PAGE = 64;

/** @typedef {{position: number, id: string, prompt: string, tags: Array<string>, expected: string|null}} Case */

/** What cases are called: read in pages, as they come into view. */
export class Cases {
  /**
   * @param {string} campaign
   * @param {() => void} arrived is told after each page
   */
  constructor(campaign, arrived) {
    this.campaign = campaign;
    this.arrived = arrived;
    /** @type {Map<number, Array<Case>>} by number of the page */ this.pages = new Map();
    /** @type {Map<number, Promise<void>>} pages that are on their way */ this.coming = new Map();
  }

  /**
   * @param {number} position
   * @return {Case|null} null: not read yet
   */
  at(position) {
    return this.pages.get(Math.floor(position / PAGE))?.[position % PAGE] ?? null;
  }

  /**
   * Reads what is missing.
   * @param {Array<number>} positions that are in view
   */
  async need(positions) {
    const missing = new Set(positions.map((p) => Math.floor(p / PAGE)).filter((p) => !this.pages.has(p)));
    await Promise.all([...missing].map((page) => {
      const coming = this.coming.get(page) ?? this.read(page);
      this.coming.set(page, coming);
      return coming;
    }));
  }

  /** @param {number} page */
  async read(page) {
    try {
      this.pages.set(page, await allCases(this.campaign, page * PAGE, page * PAGE + PAGE));
      this.arrived();
    } catch {
      // The rows keep their numbers; the page is asked for again when it is in view again.
    } finally {
      this.coming.delete(page);
    }
  }
}

/**
 * @param {string} campaign
 * @param {{from: number, limit: number}} part
 * @return {Promise<{items: Array<Case>, nextFrom: number|null}>} it may have fewer than the limit, and not be the last
 */
const cases = (campaign, part) => get(withQuery(path('campaigns', campaign, 'cases'), part));

/**
 * @param {string} campaign
 * @param {number} start
 * @param {number} end after the last one
 * @return {Promise<Array<Case>>}
 */
async function allCases(campaign, start, end) {
  const items = [];
  /** @type {number|null} */ let from = start;
  while (from !== null && from < end) {
    /** @type {{items: Array<Case>, nextFrom: number|null}} */ const part = await cases(campaign, {from, limit: end - from});
    items.push(...part.items);
    from = part.nextFrom;
  }
  return items;
}

/**
 * @param {string} campaign
 * @param {number} position
 * @return {Promise<Case>}
 */
export const caseAt = async (campaign, position) => (await cases(campaign, {from: position, limit: 1})).items[0];

/**
 * Positions of the cases with a text, a tag, or such an answer, of which people say so; what is empty does not restrict.
 * @param {string} campaign
 * @param {{q?: string, tag?: string, label?: string, only?: string|null, failedCheck?: string, slowerThanMs?: number|null, branchId?: string|null}} wanted
 * @param {AbortSignal} signal
 * @return {Promise<Set<number>>}
 */
export const positionsOf = async (campaign, wanted, signal) =>
  new Set((await get(withQuery(path('campaigns', campaign, 'cases', 'positions'), wanted), signal)).positions);

/**
 * Ids of cases. Reads them in pages of a thousand.
 * @param {string} campaign
 * @param {ArrayLike<number>} positions ascending
 * @return {Promise<Array<string>>}
 */
export async function idsOf(campaign, positions) {
  const ids = [];
  /** @type {Array<Case>} */ let page = [];
  for (const position of Array.from(positions)) {
    if (!page.length || position > page[page.length - 1].position) page = (await cases(campaign, {from: position, limit: 1000})).items;
    const found = page[position - page[0].position];
    if (found) ids.push(found.id);
  }
  return ids;
}
