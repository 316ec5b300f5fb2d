/** The address of a page holds all of its state: what is shown, filtered, sorted and opened. */

/** @type {Array<[pattern: string, page: string]>} a page is an element, in the module of the same name below page/ */
const PAGES = [
  ['', 'campaigns'],
  ['campaigns/:campaign', 'campaign'],
  ['campaigns/:campaign/results', 'results'],
  ['campaigns/:campaign/cells/:case/:branch/:trial', 'cell'],
  ['compare', 'compare'],
  ['providers', 'providers'],
];

/**
 * @param {string} pathname
 * @return {{page: string, names: Record<string, string>}|null} null: there is no such page
 */
export function pageAt(pathname) {
  const segments = pathname.replace(/^\/ui\/?/, '').replace(/\/$/, '').split('/');
  for (const [pattern, page] of PAGES) {
    const wanted = pattern.split('/');
    if (wanted.length !== segments.length) continue;
    /** @type {Record<string, string>} */ const names = {};
    const fits = wanted.every((part, i) => {
      if (!part.startsWith(':')) return part === segments[i];
      names[part.slice(1)] = decoded(segments[i]);
      return segments[i] !== '';
    });
    if (fits) return {page, names};
  }
  return null;
}

/** @param {string} segment */
function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The address of a page.
 * @param {...(string|number)} segments
 */
export const to = (...segments) => '/ui/' + segments.map((s) => encodeURIComponent(s)).join('/');

/** @param {string} name */
export const query = (name) => new URL(location.href).searchParams.get(name) ?? '';

/** @param {string} name that may stand several times */
export const queries = (name) => new URL(location.href).searchParams.getAll(name);

/**
 * Changes the query of the address.
 * @param {Record<string, string|number|null|Array<string>>} changes null and '' take a name out; of a list each has the name
 * @param {'push'|'replace'} how push: Back returns to what was before
 */
export function setQuery(changes, how = 'replace') {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '' || Array.isArray(value)) url.searchParams.delete(name);
    if (Array.isArray(value)) for (const one of value) url.searchParams.append(name, one);
    else if (value !== null && value !== '') url.searchParams.set(name, String(value));
  }
  if (url.href === location.href) return;
  if (how === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  window.dispatchEvent(new Event('assay:address'));
}

/** @param {string} address of a page */
export function go(address) {
  history.pushState(null, '', address);
  window.dispatchEvent(new Event('assay:address'));
}
