const ROW = 28;
const BEYOND = 6;
/** Taller elements than this are cut by browsers (Firefox: 17.8 million pixels). */
const MOST_HEIGHT = 15_000_000;

/** Which rows of a long list are in view. Lists that are too tall for a browser scroll faster than their rows. */
export class Window {
  constructor() {
    /** @type {Element|null} what scrolls */ this.view = null;
  }

  get rowsInView() {
    return Math.max(1, Math.floor((this.view?.clientHeight ?? 600) / ROW) - 1);
  }

  /** @param {number} at number of a row */
  top(at) {
    return at * ROW;
  }

  /**
   * @param {number} rows of the list
   * @return {{first: number, last: number, shift: number, height: number}} rows to draw, how far they are moved, and how tall the list is
   */
  over(rows) {
    const full = rows * ROW;
    const height = Math.min(full, MOST_HEIGHT);
    const inView = this.view?.clientHeight ?? 600;
    const scrolled = this.view?.scrollTop ?? 0;
    const real = full > height ? scrolled / Math.max(1, height - inView) * (full - inView) : scrolled;
    const first = Math.max(0, Math.min(rows - 1, Math.floor(real / ROW) - BEYOND));
    return {first, last: Math.min(rows, Math.ceil((real + inView) / ROW) + BEYOND), shift: Math.round(scrolled - real), height};
  }

  /**
   * Scrolls as far as a row needs to be in view.
   * @param {number} at
   * @param {number} rows of the list
   */
  show(at, rows) {
    const view = this.view;
    if (!view) return;
    const full = rows * ROW;
    const height = Math.min(full, MOST_HEIGHT);
    const factor = full > height ? (full - view.clientHeight) / Math.max(1, height - view.clientHeight) : 1;
    const real = view.scrollTop * factor;
    const top = at * ROW;
    if (top < real) view.scrollTop = top / factor;
    else if (top + ROW > real + view.clientHeight) view.scrollTop = (top + ROW - view.clientHeight) / factor;
  }
}
