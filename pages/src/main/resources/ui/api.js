import {askForToken, token} from './session.js';

/** What went wrong with a request, as the server says it. */
export class Problem extends Error {
  /**
   * @param {string} detail a sentence for people
   * @param {{status?: number, code?: string, requestId?: string, errors?: Array<{path: string, message: string}>}} more
   */
  constructor(detail, more = {}) {
    super([detail, ...(more.errors ?? []).map((e) => `${e.path}: ${e.message}`)].join('\n'));
    this.status = more.status ?? 0;
    this.code = more.code ?? 'UNREACHABLE';
    this.requestId = more.requestId ?? null;
  }
}

/**
 * The path of something below /api/v1.
 * @param {...(string|number)} segments
 */
export const path = (...segments) => '/api/v1/' + segments.map((s) => encodeURIComponent(s)).join('/');

/**
 * @param {string} address
 * @param {Record<string, unknown>} query what is null, undefined or empty is left out; of a list each has the name
 */
export function withQuery(address, query) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) all.append(name, String(one));
    else if (value !== null && value !== undefined && value !== '') all.set(name, String(value));
  }
  return all.size ? `${address}?${all}` : address;
}

/**
 * Asks the server.
 * @param {string} address
 * @param {RequestInit} options
 * @return {Promise<Response>} an answer that is no error
 * @throws {Problem}
 */
export async function ask(address, options = {}) {
  for (;;) {
    const used = token();
    const headers = new Headers(options.headers);
    if (used) headers.set('Authorization', `Bearer ${used}`);
    const answer = await fetch(address, {...options, headers}).catch((e) => {
      if (options.signal?.aborted) throw e;
      throw new Problem('The server does not answer. It may be starting again; nothing of a campaign is lost.');
    });
    if (answer.ok) return answer;
    if (answer.status !== 401 || !(token() !== used || await askForToken(used !== null))) throw await problem(answer);
  }
}

/** @param {Response} answer */
async function problem(answer) {
  const said = await answer.json().catch(() => ({}));
  return new Problem(said.detail ?? said.title ?? `The server answered ${answer.status}.`, {
    status: answer.status,
    code: said.code ?? String(answer.status),
    requestId: said.requestId ?? answer.headers.get('X-Request-Id'),
    errors: said.errors,
  });
}

/**
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @return {Promise<any>} the JSON of the answer
 */
export async function get(address, signal) {
  return (await ask(address, {signal})).json();
}

/**
 * All items of a list. A page may be short and not the last one: its bytes are bounded, too.
 * @param {string} address
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} [signal]
 * @return {Promise<Array<any>>}
 */
export async function getAll(address, query, signal) {
  const items = [];
  let pageToken = null;
  do {
    const page = await get(withQuery(address, {...query, pageToken}), signal);
    items.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return items;
}

/**
 * Asks for a change.
 * @param {string} method
 * @param {string} address
 * @param {unknown} [body] written as JSON
 * @return {Promise<any>}
 */
export async function send(method, address, body) {
  const options = body === undefined ? {method}
    : {method, body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}};
  const text = await (await ask(address, options)).text();
  return text ? JSON.parse(text) : null;
}
