import {html, nothing} from '../lit.js';
import {get, getAll, path, withQuery} from '../api.js';
import {go, query, setQuery, to} from '../address.js';
import {count, duration, interval, money, percent, points, probability} from '../format.js';
import {moveInRows} from '../rows.js';
import {sign} from '../signs.js';
import {words} from '../text.js';
import {Page} from './page.js';

const FLIPS_SHOWN = 200;
/** Tags that the API compares, at most. */
const TAGS = 20;

/** @type {Record<string, (value: number|null|undefined) => string>} */
const WRITTEN = {cost: money, latency: duration, tokens: (v) => count(v && Math.round(v))};
/** @type {Record<string, string>} */
const REASONS = {UNSURE: 'the cases are too few to be sure', NO_SHARED_CASES: 'no case is shared', MISSING_EVIDENCE: 'trials without evidence could turn it',
  ERRORS: 'trials that ended in errors could turn it', REDRAWN: 'trials that were asked again could turn it'};
/** @type {Record<string, string>} */
const WHY = {UNEQUAL_TRIALS: 'not comparable: the two plan another number of trials', ONE_GROUP: 'one group tells next to nothing of others',
  MISSING_EVIDENCE: 'no evidence on both sides', UNKNOWN_COST: 'the cost of a trial is not known', BASE_IS_ZERO: 'the baseline takes nothing'};

/** @typedef {{caseId: string, trial: number, a: Api<'Outcome'>|null, b: Api<'Outcome'>|null}} Flip both answers to a case */

/** Two campaigns, or two branches, on the cases that both have. */
class Compare extends Page {
  constructor() {
    super();
    /** @type {Api<'ComparisonReport'>|null} */ this.report = null;
    /** @type {Flip|null} the one that is open */ this.opened = null;
    this.asked = '';
  }

  connectedCallback() {
    document.title = 'Compare · Assay';
    super.connectedCallback();
  }

  async read() {
    const [a, b, maxDrop] = [query('a'), query('b'), query('maxDrop')];
    const asked = withQuery(path('compare'), {a, b, maxDrop});
    if (!a || !b) this.report = null;
    else if (asked !== this.asked || !this.report) this.report = await get(asked, this.life.signal);
    this.asked = asked;
    await this.readFlip();
  }

  /** The answers of both sides to the case that is open. */
  async readFlip() {
    const caseId = query('flip');
    if (!caseId || !this.report) {
      this.opened = null;
      return;
    }
    if (this.opened?.caseId === caseId) return;
    const [a, b] = await Promise.all([this.report.a, this.report.b].map((side) =>
      getAll(path('campaigns', side.campaign, 'outcomes'), {caseId, branchId: side.branch, pageSize: 1000}, this.life.signal)));
    // A trial that went as the flip did: passed before and not after, or the other way round.
    const regressed = (this.report.flips.find((f) => f.caseId === caseId)?.difference ?? 0) < 0;
    const after = new Map(b.map((/** @type {Api<'Outcome'>} */ y) => [y.trial, y.passed]));
    const typical = a.find((/** @type {Api<'Outcome'>} */ x) => x.passed === regressed && after.get(x.trial) === !regressed);
    const trial = typical?.trial ?? a[0]?.trial ?? 1;
    const of = (/** @type {Array<Api<'Outcome'>>} */ all) => all.find((o) => o.trial === trial) ?? all[0] ?? null;
    this.opened = {caseId, trial, a: of(a), b: of(b)};
  }

  view() {
    return html`<h1>Compare</h1>${this.form()}${this.report ? this.result(this.report) : html`<section class="empty"><p>Name two campaigns
      that have ended, as CAMPAIGN or CAMPAIGN:BRANCH; or tick two in the list of <a href="/ui/">campaigns</a>.</p></section>`}`;
  }

  trouble(/** @type {import('../api.js').Problem} */ problem) {
    return html`${this.hasData ? nothing : html`<h1>Compare</h1>${this.form()}`}${super.trouble(problem)}`;
  }

  form() {
    const submit = (/** @type {SubmitEvent} */ e) => {
      e.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (e.target));
      setQuery({a: String(form.get('a')).trim(), b: String(form.get('b')).trim(), maxDrop: String(form.get('maxDrop')), flip: null}, 'push');
    };
    return html`<form class="bar" @submit=${submit}>
      <label>Baseline <input data-key="/" name="a" required maxlength="300" .value=${query('a')}></label>
      <label>Compared with it <input name="b" required maxlength="300" .value=${query('b')}></label>
      <label>Accepted drop <input name="maxDrop" type="number" min="0" max="1" step="any" placeholder="0.02" .value=${query('maxDrop')}></label>
      <button class="main">Compare</button></form>`;
  }

  /** @param {Api<'ComparisonReport'>} r */
  result(r) {
    const regressed = r.flips.filter((f) => f.difference < 0);
    const improved = r.flips.filter((f) => f.difference > 0);
    const drop = points(r.maxDrop);
    const groups = r.metrics[0]?.difference.groups;
    const many = typeof groups === 'number' ? 'groups' : 'cases';
    const says = {PASS: `The trial rate drops by no more than ${drop}`, FAIL: `The trial rate drops by more than ${drop}`,
      INCONCLUSIVE: `Whether the trial rate drops by more than ${drop} is not known`}[/** @type {string} */ (r.verdict)];
    return html`<p>${sign(r.verdict)} ${says}${r.reasons.length ? `: ${r.reasons.map((/** @type {string} */ x) => REASONS[x] ?? x).join('; ')}` : ''}.
      ${typeof r.detectable === 'number' ? html`So many ${many} find a difference of ${points(r.detectable)} in four of five repetitions.` : html`So few ${many} find no difference.`}
      ${typeof r.casesNeeded !== 'number' || r.verdict !== 'INCONCLUSIVE' ? nothing : html`${count(r.casesNeeded)} cases would rule out such a drop.`}</p>
      ${this.differences(r)} ${this.cases(r)} ${this.metrics(r)}
      <h2>Flips</h2>${this.flips('Regressed', regressed)}${this.flips('Improved', improved)}`;
  }

  /** @param {Api<'ComparisonReport'>} r */
  differences(r) {
    const side = (/** @type {Api<'ComparedBranch'>} */ s) => html`<a href=${to('campaigns', s.campaign)}>${s.name}</a> : ${s.branch}<br><small class="dim">suite ${s.suite}, ${count(s.cases)} × ${count(s.trials)}</small>`;
    return html`<h2>What differs</h2><div class="wide"><table><thead><tr><th scope="col">Field</th><th scope="col">Baseline</th><th scope="col">Compared</th></tr></thead>
      <tbody><tr><th scope="row">campaign</th><td>${side(r.a)}</td><td>${side(r.b)}</td></tr>
      ${r.differences.map((d) => html`<tr><th scope="row"><code>${d.path}</code></th><td>${d.a ?? '–'}</td><td>${d.b ?? '–'}</td></tr>`)}</tbody></table></div>`;
  }

  /** @param {Api<'ComparisonReport'>} r */
  cases(r) {
    const list = (/** @type {string} */ what, /** @type {Array<string>} */ ids) => ids.length
      ? html`<details><summary>${count(ids.length)} ${what}</summary><p>${ids.slice(0, FLIPS_SHOWN).join(', ')}${ids.length > FLIPS_SHOWN ? ` and ${count(ids.length - FLIPS_SHOWN)} more` : ''}</p></details>` : nothing;
    return html`<h2>Cases</h2><p>${count(r.shared)} shared with the same content; only these are compared.</p>
      ${list('have the same id and another content', r.changed)}${list('only in the baseline', r.onlyA)}${list('only in the compared', r.onlyB)}`;
  }

  /** @param {Api<'ComparisonReport'>} r */
  metrics(r) {
    const value = (/** @type {string} */ name, /** @type {Api<'ComparedValue'>} */ v) => name in WRITTEN ? WRITTEN[name](v.value) : rate(name, v);
    // A tag may be called cost.
    const rate = (/** @type {string} */ _, /** @type {Api<'ComparedValue'>} */ v) => typeof v.denominator === 'number'
      ? html`${percent(v.known)} <small class="dim">${count(v.successes)}/${count(v.denominator - (v.unknown ?? 0))}${v.unknown ? `, ${count(v.unknown)} unknown` : ''}<br>${interval(v)}</small>`
      : html`${percent(v.value)} <small class="dim">${interval(v)}</small>`;
    const gap = (/** @type {Api<'ComparedMetric'>} */ m) => {
      const why = m.why ? html`<small class="dim">${WHY[m.why] ?? m.why}</small>` : nothing;
      if (m.ratio) return html`× ${m.ratio.value?.toFixed(2) ?? '–'} <small class="dim">${typeof m.ratio.low === 'number' ? `${m.ratio.low.toFixed(2)} to ${m.ratio.high?.toFixed(2)}` : ''}</small>${why}`;
      const {value, known, knownCases, low, high, cases, groups} = m.difference;
      const d = typeof knownCases === 'number' ? known : value;
      return html`${(d ?? 0) > 0 ? '+' : ''}${points(d)} <small class="dim">${typeof low === 'number' ? `${points(low)} to ${points(high)}` : ''}<br>${count(cases)} cases${typeof groups === 'number' ? ` in ${count(groups)} groups` : ''}</small>${why}`;
    };
    const table = (/** @type {string} */ what, /** @type {string} */ caption, /** @type {Array<Api<'ComparedMetric'>>} */ rows, /** @type {typeof value} */ shown) => html`<div class="wide"><table><caption class="dim">${caption}</caption>
      <thead><tr><th scope="col">${what}</th><th scope="col">Baseline</th><th scope="col">Compared</th><th scope="col">Difference</th><th scope="col">p</th><th scope="col">p (Holm)</th></tr></thead>
      <tbody>${rows.map((m) => html`<tr><th scope="row">${m.name}</th><td>${shown(m.name, m.a)}</td><td>${shown(m.name, m.b)}</td><td>${gap(m)}</td>
        <td class="number">${probability(m.p)}</td><td class="number">${probability(m.pHolm)}</td></tr>`)}</tbody></table></div>`;
    return html`<h2>Difference</h2>${table('Number', `Intervals at ${percent(0.95)}, for other cases like these; p adjusted by Holm.`, r.metrics, value)}
      ${r.tags.length ? html`<h3>Trials passed, by tag</h3>${table('Tag', `The tags of most shared cases, ${TAGS} at most. A case with several tags counts for each. p adjusted by Holm for these tags.`, r.tags, rate)}` : nothing}`;
  }

  /**
   * @param {string} title
   * @param {Array<Api<'ComparedFlip'>>} flips
   */
  flips(title, flips) {
    const {report, opened} = this;
    if (!flips.length) return html`<h3>${title}: none</h3>`;
    return html`<h3>${title}: ${count(flips.length)}</h3><div class="wide"><table class="rows"><caption class="unseen">${title}</caption>
      <thead><tr><th scope="col">Case</th><th scope="col">Baseline</th><th scope="col">Compared</th><th scope="col">p</th><th scope="col">q</th></tr></thead>
      <tbody>${flips.slice(0, FLIPS_SHOWN).map((f) => html`<tr><th scope="row"><a data-row href=${flipAddress(f.caseId)} aria-expanded=${String(query('flip') === f.caseId)}>${f.caseId}</a></th>
        <td>${percent(f.a)}</td><td>${percent(f.b)}</td><td class="number">${probability(f.p)}</td><td class="number">${probability(f.q)}</td></tr>
        ${report && opened?.caseId === f.caseId ? html`<tr><td colspan="5">${answers(report, opened)}</td></tr>` : nothing}`)}</tbody></table></div>
      ${flips.length > FLIPS_SHOWN ? html`<p class="dim">${count(flips.length - FLIPS_SHOWN)} more; assay compare prints all.</p>` : nothing}`;
  }

  /** @param {string} key */
  key(key) {
    if (key !== 'Escape') return moveInRows(this, key);
    if (query('flip')) setQuery({flip: null}, 'push');
    else go('/ui/');
    return true;
  }
}

/**
 * Both answers of a flip, and what differs.
 * @param {Api<'ComparisonReport'>} report
 * @param {Flip} flip
 */
function answers(report, {a, b, caseId}) {
  const column = (/** @type {string} */ title, /** @type {Api<'ComparedBranch'>} */ side, /** @type {Api<'Outcome'>|null} */ o) => html`<section><h3>${title}
    ${o ? html`${sign(o.passed === null ? 'UNSCORED' : o.passed ? 'PASSED' : 'FAIL')} <a href=${to('campaigns', side.campaign, 'cells', caseId, o.branchId, o.trial)}>trial ${o.trial}</a>` : '–'}</h3>
    <pre>${o?.response ?? ''}</pre></section>`;
  return html`<div class="columns">${column('Baseline', report.a, a)}${column('Compared', report.b, b)}
    <section><h3>Difference</h3><pre>${words(a?.response ?? '', b?.response ?? '')}</pre></section></div>`;
}

/** @param {string} caseId; the one that is open closes */
function flipAddress(caseId) {
  const url = new URL(location.href);
  if (query('flip') === caseId) url.searchParams.delete('flip');
  else url.searchParams.set('flip', caseId);
  return url.pathname + url.search;
}

customElements.define('assay-compare', Compare);
