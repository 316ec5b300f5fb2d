import {html, render, nothing} from './lit.js';

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {unknown} body what lit-html renders
 * @property {string|null} accept the button that goes on; null: there is nothing to decide
 * @property {boolean} [isWide] whether it shows long texts
 * @property {boolean} [danger] whether going on ends or spends something
 * @property {(form: FormData) => Promise<unknown>} [act] is waited for before the dialog closes; what it throws is shown
 */

/**
 * Asks in a dialog; Escape says no.
 * @param {Question} question
 * @return {Promise<FormData|null>} what was filled in; null: no
 */
export function askUser(question) {
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  if (question.isWide) dialog.className = 'large';
  document.body.append(dialog);
  return new Promise((resolve) => {
    /** @type {FormData|null} */ let answer = null;
    let error = '';
    let busy = false;
    const draw = () => render(body(), dialog);
    const body = () => html`<form method="dialog" @submit=${submit}>
      <h2 id="dialog-title">${question.title}</h2>
      ${question.body}
      <p class="error" role="alert">${error}</p>
      <p class="bar">${question.accept === null ? nothing : html`<button class=${question.danger ? 'danger' : 'main'} ?disabled=${busy}>
          ${busy ? 'Waiting for the server …' : question.accept}</button>`}
        <button type="button" @click=${() => dialog.close()}>${question.accept === null ? 'Close' : 'Not now'}</button></p>
    </form>`;
    const submit = async (/** @type {SubmitEvent} */ e) => {
      e.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (e.target));
      busy = true;
      error = '';
      draw();
      try {
        await question.act?.(form);
        answer = form;
        dialog.close();
      } catch (problem) {
        busy = false;
        error = /** @type {Error} */ (problem).message;
        draw();
      }
    };
    dialog.addEventListener('close', () => {
      dialog.remove();
      before?.focus();
      resolve(answer);
    });
    draw();
    dialog.showModal();
    /** @type {HTMLElement|null} */ (dialog.querySelector('input, select'))?.focus();
  });
}
