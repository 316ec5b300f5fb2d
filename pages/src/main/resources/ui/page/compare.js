import {html, nothing} from '../lit.js';
import {Problem, get, getAll, path, withQuery} from '../api.js';
import {go, queries, query, setQuery, to} from '../address.js';
import {count, duration, interval, money, percent, points, probability} from '../format.js';
import {Picker, branchesOf} from '../picker.js';
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

/** @typedef {{report: Api<'ComparisonReport'>, caseId: string, trial: number, a: Api<'Outcome'>|null, b: Api<'Outcome'>|null}} Flip both answers to a case */

/** @typedef {{ref: string, report: Api<'ComparisonReport'>|null, problem: string}} Row one that is compared with the baseline */

/** Any number of campaigns, or branches, each beside a baseline on the cases that both have. */
class Compare extends Page {
  constructor() {
    super();
    /** @type {Array<Row>} */ this.rows = [];
    /** @type {Flip|null} the one that is open */ this.opened = null;
    this.asked = '';
    this.picker = new Picker(() => this.draw(), this.life.signal);
  }

  connectedCallback() {
    document.title = 'Compare · Assay';
    super.connectedCallback();
  }

  async read() {
    // The address with the names is read by itself.
    if (await this.nameBranches()) return;
    const [a, b, maxDrop] = [query('a'), queries('b'), query('maxDrop')];
    const asked = withQuery(path('compare'), {a, b, maxDrop});
    if (asked !== this.asked || this.rows.some((row) => row.problem)) await this.compareAll(a, b, maxDrop);
    this.asked = asked;
    await this.picker.start(query('pick'));
    await this.readFlip();
  }

  /**
   * What names a campaign of several branches becomes those of its branches that can be compared.
   * @return {Promise<boolean>} whether the address changed
   */
  async nameBranches() {
    const [a, b] = [query('a'), queries('b')];
    const whole = [a, ...b].filter((ref) => ref && !ref.includes(':'));
    if (!whole.length) return false;
    const branches = new Map(await Promise.all([...new Set(whole)].map(async (id) =>
      /** @type {[string, Array<string>]} */ ([id, await branchesOf(id, this.life.signal)]))));
    const named = (/** @type {string} */ ref) => (branches.get(ref)?.length ?? 0) > 1 ? (branches.get(ref) ?? []).map((branch) => `${ref}:${branch}`) : [ref];
    const [base, ...others] = a ? named(a) : [''];
    const branch = base.slice(base.indexOf(':') + 1);
    const like = b.flatMap((ref) => {
      const all = named(ref);
      const same = all.filter((one) => one === `${ref}:${branch}`);
      return same.length ? same : all;
    });
    const before = location.href;
    setQuery({a: base, b: b.length ? like : others});
    return location.href !== before;
  }

  /**
   * Two at a time: each reads all results of two campaigns.
   * @param {string} a
   * @param {Array<string>} b
   * @param {string} maxDrop
   */
  async compareAll(a, b, maxDrop) {
    this.opened = null;
    this.rows = a ? b.map((ref) => ({ref, report: null, problem: ''})) : [];
    const waiting = [...this.rows];
    /** @type {Problem|null} */ let problem = null;
    const next = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        try {
          row.report = await get(withQuery(path('compare'), {a, b: row.ref, maxDrop}), this.life.signal);
        } catch (e) {
          if (!(e instanceof Problem)) throw e;
          row.problem = e.message;
          problem = e;
        }
        if (this.hasData) this.draw();
      }
    };
    await Promise.all([next(), next()]);
    if (problem && this.rows.every((row) => row.problem)) throw problem;
  }

  /** The comparison that is shown in full. */
  get report() {
    return (this.rows.find((row) => row.ref === query('with')) ?? this.rows.find((row) => row.report))?.report ?? null;
  }

  /** The answers of both sides to the case that is open. */
  async readFlip() {
    const caseId = query('flip');
    const {report} = this;
    if (!caseId || !report) {
      this.opened = null;
      return;
    }
    if (this.opened?.caseId === caseId && this.opened.report === report) return;
    const [a, b] = await Promise.all([report.a, report.b].map((side) =>
      getAll(path('campaigns', side.campaign, 'outcomes'), {caseId, branchId: side.branch, pageSize: 1000}, this.life.signal)));
    // A trial that went as the flip did: passed before and not after, or the other way round.
    const regressed = (report.flips.find((f) => f.caseId === caseId)?.difference ?? 0) < 0;
    const after = new Map(b.map((/** @type {Api<'Outcome'>} */ y) => [y.trial, y.passed]));
    const typical = a.find((/** @type {Api<'Outcome'>} */ x) => x.passed === regressed && after.get(x.trial) === !regressed);
    const trial = typical?.trial ?? a[0]?.trial ?? 1;
    const of = (/** @type {Array<Api<'Outcome'>>} */ all) => all.find((o) => o.trial === trial) ?? all[0] ?? null;
    this.opened = {report, caseId, trial, a: of(a), b: of(b)};
  }

  view() {
    const {report} = this;
    return html`<h1>Compare</h1>${this.chosen()}${this.picker.view()}${this.overview()}${report ? this.result(report) : nothing}`;
  }

  trouble(/** @type {import('../api.js').Problem} */ problem) {
    return html`${this.hasData ? nothing : html`<h1>Compare</h1>${this.chosen()}${this.picker.view()}`}${super.trouble(problem)}`;
  }

  /** What is compared, and how it is changed. */
  chosen() {
    const [a, b] = [query('a'), queries('b')];
    const drop = query('maxDrop');
    const chip = (/** @type {string} */ ref, /** @type {() => void} */ out) => html`<span class="chip"><bdi>${ref}</bdi> <button type="button" aria-label=${`Take out ${ref}`} @click=${out}>✕</button></span> `;
    const submit = (/** @type {SubmitEvent} */ e) => {
      e.preventDefault();
      const given = String(new FormData(/** @type {HTMLFormElement} */ (e.target)).get('drop'));
      setQuery({maxDrop: given === '' ? null : String(Number(given) / 100), flip: null}, 'push');
    };
    return html`<dl class="facts"><dt>Baseline</dt><dd>${a ? chip(a, () => setQuery({a: b[0] ?? null, b: b.slice(1), flip: null}, 'push')) : html`<span class="dim">Pick one below.</span>`}</dd>
        <dt>Compared with it</dt><dd>${b.length ? b.map((ref) => chip(ref, () => setQuery({b: b.filter((one) => one !== ref), flip: null}, 'push')))
          : html`<span class="dim">Pick as many as you like.</span>`}</dd></dl>
      <form class="bar" @submit=${submit}><label>Accepted drop, pp <input name="drop" type="number" min="0" max="100" step="any" placeholder="2" .value=${drop === '' ? '' : String(Number((Number(drop) * 100).toFixed(6)))}></label>
        <button>Apply</button></form>`;
  }

  /** One row for each that is compared; with one alone its numbers stand below. */
  overview() {
    if (this.rows.length < 2) return nothing;
    const {report} = this;
    const row = (/** @type {Row} */ {ref, report: r, problem}) => {
      const rate = r?.metrics.find((m) => m.name === 'trial-rate');
      const {known, value, low, high} = rate?.difference ?? {};
      const gap = known ?? value;
      return html`<tr><th scope="row">${r ? html`<a data-row href=${withQuery(location.pathname, {a: query('a'), b: queries('b'), maxDrop: query('maxDrop'), with: ref})} aria-current=${String(r === report)}>${ref}</a>` : ref}</th>
        ${r ? html`<td>${sign(r.verdict)}</td><td>${percent(rate?.a.known ?? rate?.a.value)}</td><td>${percent(rate?.b.known ?? rate?.b.value)}</td>
          <td>${(gap ?? 0) > 0 ? '+' : ''}${points(gap)} <small class="dim">${typeof low === 'number' ? `${points(low)} to ${points(high)}` : ''}</small></td>
          <td class="number">${probability(rate?.p)}</td><td class="number">${count(r.shared)}</td>` : html`<td colspan="6">${problem ? html`<span class="error">${problem}</span>` : '…'}</td>`}</tr>`;
    };
    return html`<h2>Beside the baseline</h2><div class="wide"><table class="rows"><caption class="dim">Trials passed. Each is compared with the baseline alone: among many, one in twenty differs by chance at p 0.05.</caption>
      <thead><tr><th scope="col">Compared</th><th scope="col">Drop accepted</th><th scope="col">Baseline</th><th scope="col">Compared</th><th scope="col">Difference</th><th scope="col">p</th><th scope="col">Shared cases</th></tr></thead>
      <tbody>${this.rows.map(row)}</tbody></table></div>
      ${report ? html`<h2>${report.b.name}: ${report.b.branch}</h2>` : nothing}`;
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
    const table = (/** @type {string} */ what, /** @type {string} */ caption, /** @type {Array<Api<'ComparedMetric'>>} */ rows, /** @type {typeof value} */ shown) => html`<div class="wide" tabindex="0"><table><caption class="dim">${caption}</caption>
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
  return html`<div class="columns" tabindex="0">${column('Baseline', report.a, a)}${column('Compared', report.b, b)}
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
