import {html, nothing} from './lit.js';
import {Problem, get, path, send, withQuery} from './api.js';
import {announce} from './announce.js';
import {count, duration, money} from './format.js';
import {sign} from './signs.js';
import {words} from './text.js';

const TYPING = 500;
/** How long one request waits for the end of an evaluation. */
const WAIT = '20s';
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
/** Checks that evaluations do not have. */
const GRADED = ['rubric', 'factuality', 'closed-qa', 'similar'];

/**
 * @typedef {object} Subject what is asked once more
 * @property {string} campaign
 * @property {string} caseId
 * @property {any} branch as the campaign's definition has it
 * @property {Array<any>} context
 * @property {Array<any>} prompts
 * @property {Array<any>} checks
 * @property {string} answer the one that is on record
 */

/** One question with another prompt, system prompt or parameters, asked as an evaluation: nothing of the campaign changes. */
export class TryOut {
  /**
   * @param {Subject} subject
   * @param {AbortSignal} signal ends what it asks of the server
   * @param {() => void} draw
   */
  constructor(subject, signal, draw) {
    this.subject = subject;
    this.signal = signal;
    this.draw = draw;
    this.system = subject.branch.systemPrompt ?? '';
    this.prompts = subject.prompts.map((prompt) => textOf(prompt));
    this.parameters = JSON.stringify(subject.branch.parameters ?? {}, null, 2);
    /** @type {any} null: not known yet */ this.plan = null;
    /** @type {Api<'Evaluation'>|null} */ this.evaluation = null;
    this.busy = false;
    this.problem = '';
    /** @type {ReturnType<typeof setTimeout>|undefined} */ this.typing = undefined;
    this.estimate();
  }

  /** Whether a model answers, which takes a system prompt and parameters. */
  get isModel() {
    return typeof this.subject.branch.model === 'string';
  }

  /**
   * What is asked.
   * @throws {SyntaxError} when the parameters are no JSON
   */
  asked() {
    const {branch, context, checks} = this.subject;
    // What a template made of the case is what is edited.
    const {template, systemPrompt, parameters, ...kept} = branch;
    const model = this.isModel ? {parameters: JSON.parse(this.parameters || '{}'), ...(this.system ? {systemPrompt: this.system} : {})} : {};
    const prompts = this.subject.prompts.map((prompt, i) => this.prompts[i] === null ? prompt : {...prompt, content: this.prompts[i]});
    return {prompts, context, branch: {...kept, ...model}, checks: checks.filter((check) => !isGraded(check))};
  }

  /** Asks what it would cost. */
  async estimate() {
    try {
      const {prompts, context, branch, checks} = this.asked();
      const file = {name: 'try', trials: 1, cases: [{id: 'try', context, prompts, checks}], branches: [branch]};
      this.plan = await send('POST', withQuery(path('campaigns', 'plan'), {from: this.subject.campaign}), file);
      this.problem = '';
    } catch (e) {
      if (this.signal.aborted) return;
      this.plan = null;
      this.problem = said(e);
    }
    this.draw();
  }

  /**
   * @param {'system'|'parameters'|number} field a number: that prompt
   * @param {Event} e
   */
  edit(field, e) {
    const {value} = /** @type {HTMLTextAreaElement} */ (e.target);
    if (typeof field === 'number') this.prompts[field] = value;
    else this[field] = value;
    clearTimeout(this.typing);
    this.plan = null;
    this.typing = setTimeout(() => this.estimate(), TYPING);
    this.draw();
  }

  /** @param {Event} e */
  async ask(e) {
    e.preventDefault();
    if (this.busy || !this.plan) return;
    this.busy = true;
    this.problem = '';
    this.evaluation = null;
    this.draw();
    try {
      const {prompts, context, branch, checks} = this.asked();
      let now = await send('POST', path('evaluations'), {name: 'try', prompts, context, branches: [branch], checks});
      while (!ENDED.includes(now.state)) {
        this.evaluation = now;
        this.draw();
        now = await get(withQuery(path('evaluations', now.id), {wait: WAIT}), this.signal);
      }
      this.evaluation = now;
      announce('The answer is there');
    } catch (problem) {
      if (this.signal.aborted) return;
      this.problem = said(problem);
    }
    this.busy = false;
    this.draw();
  }

  /** @param {string} id of the evaluation */
  async cancel(id) {
    try {
      await send('POST', path('evaluations', id, 'cancel'));
    } catch (problem) {
      this.problem = said(problem);
      this.draw();
    }
  }

  view() {
    const field = (/** @type {string} */ label, /** @type {string} */ value, /** @type {'system'|'parameters'|number} */ name, /** @type {number} */ rows) =>
      html`<label class="field">${label} <textarea rows=${rows} spellcheck="false" ?disabled=${this.busy} .value=${value} @input=${(/** @type {Event} */ e) => this.edit(name, e)}></textarea></label>`;
    const left = this.subject.checks.some(isGraded);
    return html`<p class="dim">Asks once, as an evaluation of its own: the campaign and its numbers stay as they are.${left ? ' Checks that a model grades are left out.' : ''}</p>
      <form class="try" @submit=${(/** @type {Event} */ e) => this.ask(e)}>
        ${this.isModel ? field('System prompt', this.system, 'system', 4) : nothing}
        ${this.prompts.map((prompt, i) => prompt === null ? html`<p class="dim">Message ${i + 1} is not only text; it is sent as it is.</p>`
          : field(this.prompts.length > 1 ? `Message ${i + 1}` : 'Prompt', prompt, i, 6))}
        ${this.isModel ? field('Parameters, as JSON', this.parameters, 'parameters', 3) : nothing}
        <p class="bar"><button class="main" ?disabled=${this.busy || !this.plan}>${this.busy ? 'Asking …' : 'Ask once'}</button> <span role="status">${this.cost()}</span></p>
        <p class="error" role="alert">${this.problem}</p></form>
      ${this.result()}`;
  }

  /** What it will cost, as far as that is known. */
  cost() {
    if (this.problem) return nothing;
    if (!this.plan) return html`<span class="dim">What it costs is looked up …</span>`;
    const {calls, tokens, costUsd, unpriced} = this.plan;
    const price = typeof costUsd === 'number' ? `about ${money(costUsd)}` : unpriced ? 'at a cost that is not known' : 'for nothing';
    return `Asks ${count(calls)} time${calls === 1 ? '' : 's'}, ${price}${typeof tokens === 'number' ? `, about ${count(tokens)} tokens` : ''}.`;
  }

  result() {
    const {evaluation} = this;
    if (!evaluation) return nothing;
    const outcome = evaluation.outcomes[0];
    if (!ENDED.includes(evaluation.state)) {
      return html`<p>${sign(evaluation.state)} Evaluation ${evaluation.id} <button type="button" @click=${() => this.cancel(evaluation.id)}>Cancel it</button></p>`;
    }
    if (!outcome) return html`<p class="error">${evaluation.error?.message ?? `The evaluation is ${evaluation.state}: there is no answer.`}</p>`;
    const before = this.subject.answer;
    return html`<p>${sign(outcome.error ? outcome.status : checked(outcome))} <span class="dim">${money(outcome.costUsd)} · ${duration(outcome.latencyMs)} · ${count(outcome.usage.total)} tokens · evaluation ${evaluation.id}</span></p>
      ${outcome.error ? html`<p class="error">${outcome.error.message}</p>` : nothing}
      ${outcome.checks.filter((c) => c.status !== 'PASSED').map((c) => html`<p><b>${c.type}</b>: <bdi>${c.reason}</bdi></p>`)}
      <div class="columns" tabindex="0"><section><h3>Before</h3><pre>${before}</pre></section>
        <section><h3>Now</h3><pre>${outcome.response}</pre></section><section><h3>What differs</h3><pre>${words(before, outcome.response)}</pre></section></div>`;
  }
}

/** @param {{checks: Array<{required: boolean, status: string}>, status: string}} outcome */
const checked = ({checks, status}) => !checks.length ? status : checks.some((c) => c.required && c.status === 'FAILED') ? 'FAIL'
  : checks.some((c) => c.required && c.status === 'UNSCORED') ? 'UNSCORED' : 'PASSED';

/** @param {any} check of a campaign file, or a group of them */
const isGraded = (check) => GRADED.includes(check.type) || (Array.isArray(check.checks) && check.checks.some(isGraded));

/**
 * @param {any} message
 * @return {string|null} null: it is not only text
 */
function textOf({content}) {
  if (typeof content === 'string') return content;
  return content.every((/** @type {any} */ block) => block.type === 'text') ? content.map((/** @type {any} */ block) => block.text).join('\n') : null;
}

/** @param {unknown} problem */
function said(problem) {
  if (problem instanceof SyntaxError) return `The parameters are no JSON: ${problem.message}`;
  if (problem instanceof Problem) return problem.message;
  throw problem;
}
