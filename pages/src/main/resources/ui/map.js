/** @type {WeakMap<HTMLCanvasElement, [object, object]>} what was drawn last */
const drawn = new WeakMap();

/** How tall the map is, in pixels: one for each share of the rows. */
const HEIGHT = 300;

/**
 * Draws where in a list failures are: the more of a share of the rows failed, the stronger.
 * @param {HTMLCanvasElement} canvas
 * @param {import('./cells.js').Cells} cells
 * @param {Uint32Array} rows positions of cases
 */
export function drawMap(canvas, cells, rows) {
  const [lastCells, lastRows] = drawn.get(canvas) ?? [];
  if (cells === lastCells && rows === lastRows) return;
  drawn.set(canvas, [cells, rows]);
  canvas.width = 1;
  canvas.height = HEIGHT;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.fillStyle = getComputedStyle(canvas).getPropertyValue('--bad');
  const most = cells.branches * cells.trials;
  for (let y = 0; y < HEIGHT; y++) {
    const from = Math.floor(y * rows.length / HEIGHT);
    const until = Math.max(from + 1, Math.floor((y + 1) * rows.length / HEIGHT));
    let bad = 0;
    for (let at = from; at < until && at < rows.length; at++) bad += cells.tally(rows[at], null).bad;
    context.globalAlpha = Math.min(1, bad / (until - from) / most);
    context.fillRect(0, y, 1, 1);
  }
}
