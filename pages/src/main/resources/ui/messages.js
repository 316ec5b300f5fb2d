import {html, nothing} from './lit.js';
import {size} from './format.js';
import {marked} from './text.js';

/** Longer texts are shown as far as this, and say how much there is more. */
const SHOWN = 20_000;
const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

/**
 * @typedef {object} View
 * @property {string} find what is looked for in all texts; '' for nothing
 * @property {Set<string>} whole names of texts that are shown whole
 * @property {(name: string) => void} showWhole
 */

/**
 * The messages of a loop: each call of a tool with its result.
 * @param {Array<any>} messages
 * @param {number} first number of the first one, for its name in the address
 * @param {View} view
 */
export function conversation(messages, first, view) {
  const results = new Map(messages.filter((m) => m.toolResult).map((m) => [m.toolResult.callId, m]));
  const paired = new Set();
  return messages.map((message, i) => {
    if (paired.has(message)) return nothing;
    const name = `m${first + i}`;
    const blocks = typeof message.content === 'string' ? [{type: 'text', text: message.content}] : message.content;
    return html`<article class="message" id=${name}><h3>${message.toolResult ? `tool ${message.toolResult.name}` : message.role}
        ${message.toolResult?.isError ? html`<span class="bad">! error</span>` : nothing}
        <a href=${`${location.pathname}${location.search}#${name}`} aria-label=${`Link to message ${name}`}>#</a></h3>
      ${blocks.map((/** @type {any} */ block, /** @type {number} */ n) => {
        const result = block.type === 'tool_call' ? results.get(block.id) : null;
        if (result) paired.add(result);
        return one(block, result, `${name}.${n}`, view);
      })}</article>`;
  });
}

/**
 * @param {any} block
 * @param {any} result message that answers a call of a tool
 * @param {string} name
 * @param {View} view
 */
function one(block, result, name, view) {
  switch (block.type) {
    case 'text': return text(block.text, name, view);
    case 'thinking': return html`<details ?open=${view.find !== ''}><summary>Thinking, ${size(block.text.length)}</summary>${text(block.text, name, view)}</details>`;
    case 'tool_call': return html`<h4>calls ${block.name}</h4>${json(block.arguments, name, view)}
      ${result ? html`<h4>result ${result.toolResult.isError ? html`<span class="bad">! error</span>` : nothing}</h4>${text(textOf(result), `${name}.r`, view)}`
        : html`<p class="dim">No result was recorded.</p>`}`;
    case 'image': return IMAGE.test(block.mediaType) ? html`<img alt=${`An image, ${block.mediaType}`} src=${`data:${block.mediaType};base64,${block.data}`}>`
      : html`<p class="dim">An image, ${block.mediaType}</p>`;
    default: return json(block, name, view);
  }
}

/**
 * A text as it is; a long one on request.
 * @param {string} whole
 * @param {string} name
 * @param {View} view
 */
export function text(whole, name, view) {
  if (whole.length <= SHOWN || view.whole.has(name) || view.find) return html`<pre>${marked(whole, view.find)}</pre>`;
  return html`<pre>${whole.slice(0, SHOWN)}</pre><p><button type="button" @click=${() => view.showWhole(name)}>Show all ${size(whole.length)}</button>
    <span class="dim">${size(whole.length - SHOWN)} more</span></p>`;
}

/**
 * JSON, folded when it is long.
 * @param {unknown} value
 * @param {string} name
 * @param {View} view
 */
export function json(value, name, view) {
  const written = JSON.stringify(value, null, 2) ?? 'null';
  const shown = text(written, name, view);
  return written.length < 400 ? shown : html`<details ?open=${view.find !== ''}><summary>JSON, ${size(written.length)}</summary>${shown}</details>`;
}

/** @param {any} message */
function textOf(message) {
  return typeof message.content === 'string' ? message.content
    : message.content.map((/** @type {any} */ b) => b.type === 'text' ? b.text : JSON.stringify(b, null, 2)).join('\n');
}
