/** Rows are drawn as far beyond the view as this, in pixels. */
const BEYOND = 170;
/** Taller elements than this are cut by browsers (Firefox: 17.8 million pixels). */
const MOST_HEIGHT = 15_000_000;

/** Which rows of a long list are in view. Lists that are too tall for a browser scroll faster than their rows. */
export class Window {
  /**
   * @param {number} row how tall a row is, in pixels
   * @param {number} head how tall the heads are, which stay above the rows in what scrolls
   */
  constructor(row, head) {
    this.row = row;
    this.head = head;
    /** @type {Element|null} what scrolls */ this.view = null;
  }

  /** How much of the rows is seen, in pixels. */
  get seen() {
    return Math.max(this.row, (this.view?.clientHeight ?? 600) - this.head);
  }

  get rowsInView() {
    return Math.max(1, Math.floor(this.seen / this.row) - 1);
  }

  /** @param {number} at number of a row */
  top(at) {
    return at * this.row;
  }

  /**
   * @param {number} rows of the list
   * @return {{first: number, last: number, shift: number, height: number}} rows to draw, how far they are moved, and how tall the list is
   */
  over(rows) {
    const full = rows * this.row;
    const height = Math.min(full, MOST_HEIGHT);
    const inView = this.seen;
    const beyond = Math.ceil(BEYOND / this.row);
    const scrolled = this.view?.scrollTop ?? 0;
    const real = full > height ? scrolled / Math.max(1, height - inView) * (full - inView) : scrolled;
    const first = Math.max(0, Math.min(rows - 1, Math.floor(real / this.row) - beyond));
    return {first, last: Math.min(rows, Math.ceil((real + inView) / this.row) + beyond), shift: Math.round(scrolled - real), height};
  }

  /**
   * Scrolls as far as a row needs to be in view.
   * @param {number} at
   * @param {number} rows of the list
   */
  show(at, rows) {
    const view = this.view;
    if (!view) return;
    const full = rows * this.row;
    const height = Math.min(full, MOST_HEIGHT);
    const inView = this.seen;
    const factor = full > height ? (full - inView) / Math.max(1, height - inView) : 1;
    const real = view.scrollTop * factor;
    const top = at * this.row;
    if (top < real) view.scrollTop = top / factor;
    else if (top + this.row > real + inView) view.scrollTop = (top + this.row - inView) / factor;
  }
}
