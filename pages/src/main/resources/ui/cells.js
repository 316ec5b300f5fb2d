/** Every cell of a campaign in one byte each: what it came to, and how its trial was decided (docs/api.md). */

/** What a cell came to: the lowest three bits. */
export const State = {OPEN: 0, NOT_NEEDED: 1, PASSED: 2, FAILED: 3, ERRORED: 4, SKIPPED: 5, NO_EVIDENCE: 6, CANCELLED: 7};
const STATE = 7;
export const CHOSEN = 8;
export const FALLBACK = 16;
export const TIED = 32;
export const LABELLED = 64;

/** By state. */
export const GLYPHS = ['·', '–', '●', '✕', '!', '–', '○', '–'];
export const STYLES = ['none', 'none', 'good', 'bad', 'wait', 'none', 'none', 'none'];
export const WORDS = ['open', 'not needed', 'passed', 'failed', 'errored', 'skipped', 'no evidence', 'cancelled'];

/** Bytes of a change: the place of a cell, the highest first, and what it is now. */
const CHANGE = 5;

/** @typedef {{trials: number, cases: number, branches: number}} Size */

export class Cells {
  /**
   * @param {Size} size
   * @param {Uint8Array} bytes by trial, then case, then branch
   */
  constructor({trials, cases, branches}, bytes) {
    this.trials = trials;
    this.cases = cases;
    this.branches = branches;
    this.bytes = bytes;
  }

  /**
   * @param {number} position of the case in the suite, from 0
   * @param {number} branch from 0
   * @param {number} trial from 0
   */
  at(position, branch, trial) {
    return this.bytes[this.place(position, branch, trial)];
  }

  /**
   * The place of a cell among all.
   * @param {number} position of the case in the suite, from 0
   * @param {number} branch from 0
   * @param {number} trial from 0
   */
  place(position, branch, trial) {
    return (trial * this.cases + position) * this.branches + branch;
  }

  /**
   * The cells of all trials of a case on a branch.
   * @param {number} position
   * @param {number} branch
   * @return {Array<number>}
   */
  trialsOf(position, branch) {
    return Array.from({length: this.trials}, (_, trial) => this.at(position, branch, trial));
  }

  /**
   * The cells after changes; trials may have been added, which leaves all places as they are.
   * @param {Size} size
   * @param {ArrayBuffer} changes
   */
  changed(size, changes) {
    const total = size.trials * size.cases * size.branches;
    const bytes = total === this.bytes.length ? this.bytes : new Uint8Array(total);
    if (bytes !== this.bytes) bytes.set(this.bytes.subarray(0, total));
    const view = new DataView(changes);
    for (let i = 0; i + CHANGE <= view.byteLength; i += CHANGE) bytes[view.getUint32(i)] = view.getUint8(i + 4);
    return new Cells(size, bytes);
  }

  /**
   * Whether every place that changes is here; there are others where trials were added.
   * @param {ArrayBuffer} changes
   */
  holds(changes) {
    const view = new DataView(changes);
    for (let i = 0; i + CHANGE <= view.byteLength; i += CHANGE) if (view.getUint32(i) >= this.bytes.length) return false;
    return true;
  }

  /**
   * Positions of the cases that a filter keeps, in the order of the suite.
   * @param {string} name of a filter; another one keeps all
   * @param {number|null} branch that is looked at; null: all
   * @param {(position: number) => boolean} [also] what else must be so
   * @return {Uint32Array}
   */
  filtered(name, branch, also) {
    const keeps = FILTERS[name]?.keeps;
    const found = new Uint32Array(this.cases);
    let n = 0;
    for (let c = 0; c < this.cases; c++) {
      if ((!keeps || keeps(this.tally(c, branch))) && (!also || also(c))) found[n++] = c;
    }
    return found.slice(0, n);
  }

  /**
   * What the cells of a case came to together. The same object each time: a million cases need no million objects.
   * @param {number} position
   * @param {number|null} branch null: all
   */
  tally(position, branch) {
    const t = TALLY;
    t.bad = t.flaky = t.all = t.none = t.errored = t.undecided = 0;
    for (let b = branch ?? 0; b < (branch === null ? this.branches : branch + 1); b++) {
      let passed = 0;
      let failed = 0;
      let errored = 0;
      for (let trial = 0; trial < this.trials; trial++) {
        const cell = this.at(position, b, trial);
        const state = cell & STATE;
        if (state === State.PASSED) passed++;
        else if (state === State.FAILED) failed++;
        else if (state === State.ERRORED) errored++;
        if (cell & (FALLBACK | TIED)) t.undecided++;
      }
      t.bad += failed + errored;
      t.errored += errored;
      // Errors make no case flaky, as in the report.
      if (passed && failed) t.flaky++;
      if (passed === this.trials) t.all++;
      if (failed + errored && !passed) t.none++;
    }
    return t;
  }

  /**
   * Trials of some cases that passed on a branch, of those that passed or failed.
   * @param {Iterable<number>} positions
   * @param {number} branch
   */
  share(positions, branch) {
    let passed = 0;
    let decided = 0;
    for (const position of positions) {
      for (let t = 0; t < this.trials; t++) {
        const now = this.at(position, branch, t) & STATE;
        if (now === State.PASSED) passed++;
        if (now === State.PASSED || now === State.FAILED) decided++;
      }
    }
    return {passed, decided};
  }

  /**
   * The order in which the worst come first.
   * @param {Uint32Array} positions
   * @param {number|null} branch null: all
   */
  worstFirst(positions, branch) {
    const bad = new Map(Array.from(positions, (p) => [p, this.tally(p, branch).bad]));
    return positions.toSorted((a, b) => /** @type {number} */ (bad.get(b)) - /** @type {number} */ (bad.get(a)) || a - b);
  }

  /**
   * The trial that a user wants to read first: one that did not pass, else the first.
   * @param {number} position
   * @param {number} branch
   * @return {number} from 0
   */
  trialToRead(position, branch) {
    for (let t = 0; t < this.trials; t++) if (isFailing(this.at(position, branch, t))) return t;
    return 0;
  }
}

const TALLY = {bad: 0, flaky: 0, all: 0, none: 0, errored: 0, undecided: 0};

/** @param {number} cell */
export const isFailing = (cell) => (cell & STATE) === State.FAILED || (cell & STATE) === State.ERRORED;

/** @param {number} cell */
export const state = (cell) => cell & STATE;

/** @param {boolean|null|undefined} passed null: no evidence */
export const stateOf = (passed) => typeof passed !== 'boolean' ? State.NO_EVIDENCE : passed ? State.PASSED : State.FAILED;

/** @type {Record<string, {says: string, keeps: (tally: typeof TALLY) => boolean}>} */
export const FILTERS = {
  failing: {says: 'a trial did not pass', keeps: (t) => t.bad > 0},
  flaky: {says: 'a branch passed and failed', keeps: (t) => t.flaky > 0},
  disagreeing: {says: 'one branch always passed, another never', keeps: (t) => t.all > 0 && t.none > 0},
  errored: {says: 'an error ended a trial', keeps: (t) => t.errored > 0},
  undecided: {says: 'a tie or a fallback decided a trial', keeps: (t) => t.undecided > 0},
};
