/**
 * j and k move among the links of rows, which Enter follows.
 * @param {Element} page
 * @param {string} key
 * @return {boolean}
 */
export function moveInRows(page, key) {
  const step = {j: 1, k: -1}[key];
  const rows = /** @type {Array<HTMLElement>} */ ([...page.querySelectorAll('[data-row]')]);
  if (!step || !rows.length) return false;
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step))].focus();
  return true;
}
