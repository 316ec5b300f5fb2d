import {ask} from './api.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** @typedef {'live'|'reconnecting'|'ended'} Connection */

/**
 * Follows a stream of events while the tab is visible: read by fetch, so that a token can be sent. A stream that breaks is opened
 * again; one whose last event says so has ended.
 * @param {string} address
 * @param {{event: (name: string, data: any) => boolean|void, connection: (now: Connection) => void}} listener event says with true
 *     that it was the last
 * @return {() => void} ends it
 */
export function follow(address, listener) {
  /** @type {AbortController|null} */ let reading = null;
  let ended = false;

  const read = async (/** @type {AbortSignal} */ signal) => {
    let wait = FIRST_WAIT;
    while (!signal.aborted && !ended) {
      try {
        const answer = await ask(address, {signal, headers: {Accept: 'text/event-stream'}});
        listener.connection('live');
        wait = FIRST_WAIT;
        for await (const {name, data} of eventsOf(/** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (answer.body))) {
          if (signal.aborted) return;
          if (listener.event(name, data)) ended = true;
        }
      } catch (problem) {
        if (signal.aborted) return;
        if (/** @type {any} */ (problem).status === 404) ended = true;
      }
      if (ended) break;
      listener.connection('reconnecting');
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(LONGEST_WAIT, wait * 2);
    }
    if (ended) listener.connection('ended');
  };
  const look = () => {
    if (document.hidden) {
      reading?.abort();
      reading = null;
    } else if (!reading && !ended) {
      reading = new AbortController();
      read(reading.signal);
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    reading?.abort();
    ended = true;
  };
}

/**
 * The events of a stream (HTML standard, server-sent events): fields in lines, an empty line ends an event.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const lines = part.split(/\r?\n/);
        const of = (/** @type {string} */ field) => lines.filter((l) => l.startsWith(field + ':'))
            .map((l) => l.slice(field.length + 1).replace(/^ /, ''));
        const data = of('data');
        if (data.length) yield {name: of('event')[0] ?? 'message', data: JSON.parse(data.join('\n'))};
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
