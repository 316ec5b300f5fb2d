import {html} from './lit.js';
import {askUser} from './dialog.js';

const KEY = 'assay.token';

/** @type {Promise<boolean>|null} one question for all requests that were refused at once */
let asking = null;

/** @return {string|null} the token of this tab; it is in no address and in no other tab */
export const token = () => sessionStorage.getItem(KEY);

/**
 * Asks the user for a token.
 * @param {boolean} wasRefused whether there was one, which the server does not take
 * @return {Promise<boolean>} whether there is another one now
 */
export function askForToken(wasRefused) {
  asking ??= ask(wasRefused).finally(() => {
    asking = null;
  });
  return asking;
}

/** @param {boolean} wasRefused */
async function ask(wasRefused) {
  const given = await askUser({
    title: 'This server asks for a token',
    body: html`<p>${wasRefused ? 'The last one was refused: it is wrong, expired or revoked. ' : ''}Make one with <code>assay token create</code>. It is kept for this tab only.</p>
      <label>Token <input name="token" type="password" required autocomplete="off" spellcheck="false"></label>`,
    accept: 'Continue',
  });
  const text = String(given?.get('token') ?? '').trim();
  if (text) sessionStorage.setItem(KEY, text);
  return text !== '';
}
