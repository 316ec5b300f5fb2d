import {ask} from './api.js';
import {token} from './session.js';

/** The document of the API, as Swagger UI shows it: a script of others, under a policy of its own (docs/security.md). */

const place = /** @type {HTMLElement} */ (document.getElementById('document'));
const dark = matchMedia('(prefers-color-scheme:dark)');
const applyTheme = () => {
  const chosen = localStorage.getItem('assay.theme');
  document.documentElement.classList.toggle('dark-mode', chosen === 'dark' || chosen !== 'light' && dark.matches);
};

async function show() {
  applyTheme();
  dark.addEventListener('change', applyTheme);
  try {
    const spec = await (await ask('/openapi', {headers: {Accept: 'application/json'}})).json();
    /** @type {any} */ (globalThis).SwaggerUIBundle({
      spec,
      domNode: place,
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
      requestInterceptor: authorized,
    });
  } catch (problem) {
    place.className = 'trouble';
    place.setAttribute('role', 'alert');
    place.textContent = /** @type {Error} */ (problem).message;
  }
}

/**
 * A request that the user tries, with the token of this tab.
 * @param {{headers: Record<string, string>}} request
 */
function authorized(request) {
  const used = token();
  if (used) request.headers.Authorization = `Bearer ${used}`;
  return request;
}

show();
