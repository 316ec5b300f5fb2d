/** What the pages take of lit-html. Values in its templates become text, never markup. */
export {html, svg, nothing, render} from './lit-html/lit-html.js';
export {repeat} from './lit-html/directives/repeat.js';
