/**
 * Tells users of screen readers what changed, without moving their focus.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById('announced');
  if (region) region.textContent = text;
}
