import {html, render} from './lit.js';
import {go, pageAt} from './address.js';
import {showHelp, startKeys} from './keys.js';
import {startTheme} from './theme.js';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));

/** The page that is shown, and which one: another address of it only tells it to look again. */
let shown = '';

async function show() {
  const found = pageAt(location.pathname);
  const key = found ? JSON.stringify(found) : location.pathname;
  const isFirst = shown === '';
  const page = /** @type {import('./page/page.js').Page|null} */ (main.firstElementChild);
  if (key === shown && page && 'addressChanged' in page) {
    page.addressChanged();
    return;
  }
  shown = key;
  if (!found) {
    document.title = 'Nothing here · Assay';
    main.replaceChildren();
    const nothing = main.appendChild(document.createElement('div'));
    render(html`<h1>There is no such page</h1><p><a href="/ui/">All campaigns</a></p>`, nothing);
    return;
  }
  await import(`./page/${found.page}.js`);
  if (key !== shown) return;
  const next = /** @type {import('./page/page.js').Page} */ (document.createElement(`assay-${found.page}`));
  next.names = found.names;
  main.replaceChildren(next);
  if (isFirst) return;
  main.focus({preventScroll: true});
  scrollTo(0, 0);
}

document.addEventListener('click', (e) => {
  const link = /** @type {HTMLAnchorElement|null} */ (/** @type {Element} */ (e.target).closest?.('a[href^="/ui"]'));
  if (!link || !pageAt(link.pathname) || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || link.hasAttribute('download')) return;
  e.preventDefault();
  go(link.href);
});
window.addEventListener('popstate', show);
window.addEventListener('assay:address', show);
document.getElementById('help')?.addEventListener('click', showHelp);
startKeys();
startTheme();
show();
