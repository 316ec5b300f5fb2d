const KEY = 'assay.theme';
const THEMES = ['system', 'light', 'dark'];

/** Light or dark as the system says, unless the user chose; the choice is kept in this browser. */
export function startTheme() {
  const button = document.getElementById('theme');
  const apply = (/** @type {string} */ theme) => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    if (button) button.textContent = `Theme: ${theme}`;
  };
  const current = () => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  apply(current());
  button?.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length];
    localStorage.setItem(KEY, next);
    apply(next);
  });
}
