import {ask} from './api.js';
import {announce} from './announce.js';
import {token} from './session.js';

/**
 * Lets a link to a file be followed where a token is needed, which a link cannot send.
 * @param {MouseEvent} e
 */
export async function download(e) {
  const link = /** @type {HTMLAnchorElement} */ (e.currentTarget);
  if (!token() || link.protocol === 'blob:') return;
  e.preventDefault();
  const {href} = link;
  try {
    const file = await (await ask(href)).blob();
    link.href = URL.createObjectURL(file);
    link.click();
    setTimeout(URL.revokeObjectURL, 60_000, link.href);
  } catch (problem) {
    announce(/** @type {Error} */ (problem).message);
  }
  link.href = href;
}
