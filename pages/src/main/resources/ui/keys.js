import {html} from './lit.js';
import {askUser} from './dialog.js';
import {announce} from './announce.js';
import {go} from './address.js';

/** @type {Array<[keys: string, what: string]>} */
const HELP = [
  ['?', 'these keys'], ['/', 'filter'], ['j k', 'next, previous row'], ['Enter', 'open'], ['Esc', 'up'],
  ['[ ]', 'previous, next failing'], ['b', 'next branch'], ['t', 'next trial'], ['w', 'whole answer'], ['p f u', 'label: pass, fail, unsure'], ['n', 'note of a label'], ['y', 'copy the link'], ['g c', 'campaigns'],
];

let before = '';

/** Keys that every page has; a page's own keys reach its method `key`. Off while the user types or a dialog is open. */
export function startKeys() {
  document.addEventListener('keydown', (e) => {
    const target = /** @type {HTMLElement} */ (e.target);
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    if (target.matches('input:not([type=checkbox]), textarea, select')) {
      if (e.key === 'Escape') {
        // Else a field of a search would be emptied.
        e.preventDefault();
        target.blur();
      }
      return;
    }
    const page = /** @type {any} */ (document.querySelector('#main > *'));
    if (common(e.key) || page?.key?.(e.key)) e.preventDefault();
    before = e.key;
  });
}

/**
 * @param {string} key
 * @return {boolean} whether it meant something
 */
function common(key) {
  const field = /** @type {HTMLElement|null} */ (document.querySelector(`[data-key="${CSS.escape(key)}"]`));
  if (key === '?') showHelp();
  else if (field) field.focus();
  else if (key === 'c' && before === 'g') go('/ui/');
  else if (key === 'y') copyLink();
  else return false;
  return true;
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    announce('The link was copied');
  } catch {
    // Without a secure connection there is no clipboard.
    announce(location.href);
  }
}

export function showHelp() {
  askUser({
    title: 'Keys',
    body: html`<dl class="keys">${HELP.map(([keys, what]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${what}</dd></div>`)}</dl>`,
    accept: null,
  });
}
