/** Numbers as people read them. What is not known is "–". */

const UNKNOWN = '–';

/** @param {number|null|undefined} n */
export const count = (n) => n === null || n === undefined ? UNKNOWN : n.toLocaleString('en');

/**
 * As in "1 case" and "2 cases".
 * @param {number} n
 * @param {string} noun
 * @param {string} [many]
 */
export const counted = (n, noun, many = `${noun}s`) => `${count(n)} ${n === 1 ? noun : many}`;

/**
 * Tokens in all. A sum that leaves answers out says how many.
 * @param {Api<'Usage'>} usage
 * @param {number} unknown answers that did not report theirs
 */
export const tokens = (usage, unknown) => typeof usage.total === 'number' && unknown > 0
  ? `${count(usage.total)} (${count(unknown)} unknown)` : count(usage.total);

/** @param {number|null|undefined} share 0–1 */
export const percent = (share) => share === null || share === undefined ? UNKNOWN
  : `${(share * 100).toFixed(share === 0 || share === 1 ? 0 : 1)} %`;

/** @param {number|null|undefined} share a difference of shares, −1 to 1: percentage points */
export const points = (share) => share === null || share === undefined ? UNKNOWN : `${(share * 100).toFixed(1)} pp`;

/** @param {number|null|undefined} usd in US dollars */
export const money = (usd) => usd === null || usd === undefined ? UNKNOWN
  : usd === 0 ? '$0' : `$${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(usd < 1 ? 4 : 2)}`;

/** @param {number|null|undefined} milliseconds */
export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined || !Number.isFinite(milliseconds)) return UNKNOWN;
  const s = milliseconds / 1000;
  if (s < 1) return `${Math.round(milliseconds)} ms`;
  if (s < 60) return `${s.toFixed(1)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.round(s % 3600 / 60)} min`;
  return `${Math.floor(s / 86_400)} d ${Math.round(s % 86_400 / 3600)} h`;
}

/** @param {string|null|undefined} instant ISO 8601 */
export const age = (instant) => instant ? `${duration(Date.now() - Date.parse(instant))} ago` : UNKNOWN;

/** @param {string|null|undefined} instant ISO 8601 */
export const time = (instant) => instant ? new Date(instant).toLocaleString('en-GB') : UNKNOWN;

/** @param {number} characters of a text */
export const size = (characters) => `${count(characters)} ${characters === 1 ? 'character' : 'characters'}`;

/** What is said where a running interval has this `why`. */
export const ORDER_GIVEN = 'Cases are asked in the order of the file: those to come may be harder or easier.';

/**
 * An interval with what it covers.
 * @param {{low?: number|null, high?: number|null, level?: number|null}|null|undefined} of
 */
export const interval = (of) => of?.low === null || of?.low === undefined ? '' : `${percent(of.low)} to ${percent(of.high)}`;

/** @param {number|null|undefined} p */
export const probability = (p) => p === null || p === undefined ? UNKNOWN : p < 0.001 ? '< 0.001' : p.toFixed(3);

/**
 * Whether a strategy's choice says something of the answers. One that takes the first answer, or the only one, tells nothing.
 * @param {string} strategy its type
 */
export const choosesAny = (strategy) => strategy !== 'pick-first' && strategy !== 'transparent';

/**
 * Whether its branches can be asked: a scoring judges the answers of another campaign, and an import those of another tool.
 * @param {Api<'Campaign'>} campaign
 */
export const asksBranches = (campaign) => !campaign.scoring && !campaign.import;
