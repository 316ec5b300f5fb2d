import {html, svg} from './lit.js';

const WIDTH = 440;
const HEIGHT = 110;
const LEFT = 56;
const BOTTOM = 18;

/**
 * A line over time, with its numbers as a table.
 * @param {string} title
 * @param {Array<{at: number, value: number|null}>} points in the order of time; at in milliseconds
 * @param {(value: number) => string} written how a value is written
 */
export function chart(title, points, written) {
  const known = points.filter((p) => p.value !== null);
  if (known.length < 2) return html`<figure><figcaption>${title}</figcaption><p class="dim">Not enough is known yet.</p></figure>`;
  const values = known.map((p) => Number(p.value));
  const times = known.map((p) => p.at);
  const top = Math.max(...values) || 1;
  const [from, until] = [times[0], times[times.length - 1]];
  const x = (/** @type {number} */ t) => LEFT + (t - from) / Math.max(1, until - from) * (WIDTH - LEFT - 4);
  const y = (/** @type {number} */ v) => HEIGHT - BOTTOM - v / top * (HEIGHT - BOTTOM - 12);
  const clock = (/** @type {number} */ t) => new Date(t).toLocaleTimeString('en-GB');
  return html`<figure><figcaption>${title}</figcaption>
    ${svg`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${title}: from ${written(values[0])} to ${written(values[values.length - 1])}, at most ${written(top)}`}>
      <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)}></line>
      <text x="0" y="16">${written(top)}</text><text x="0" y=${y(0)}>0</text>
      <text x=${LEFT} y=${HEIGHT - 4}>${clock(from)}</text><text x=${WIDTH - 4} y=${HEIGHT - 4} text-anchor="end">${clock(until)}</text>
      <polyline points=${known.map((p, i) => `${x(times[i]).toFixed(1)},${y(values[i]).toFixed(1)}`).join(' ')}></polyline></svg>`}
    <details><summary>Table</summary><div class="wide" tabindex="0"><table><thead><tr><th scope="col">Time</th><th scope="col">${title}</th></tr></thead>
      <tbody>${known.map((p, i) => html`<tr><td>${clock(times[i])}</td><td class="number">${written(values[i])}</td></tr>`)}</tbody></table></div></details></figure>`;
}
