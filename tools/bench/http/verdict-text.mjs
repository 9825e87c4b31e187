import { table } from '../shared/table.mjs';

/** Where this much is noise, hardly anything shows. */
const NOISY = 0.25;

/**
 * The comparison as a Markdown table, and what it means in words.
 *
 * @param {{ cases: import('./verdict.mjs').Row[], loosely: import('./verdict.mjs').Row[] }} comparison
 * @param {string} version the release that is compared with
 */
export function verdictText({ cases, loosely }, version) {
  const rows = [...cases, ...loosely];
  const lines = rows.map(({ name, then, now, change, tolerance }) => [
    name,
    then?.toFixed(2),
    now.toFixed(2),
    then === undefined ? 'new' : signed(change),
    signed(tolerance),
  ]);
  const worse = rows.filter((row) => row.worse);
  const words = [
    ...(worse.length === 0 ? [`Nothing got worse since ${version}.`] : worse.map(complaint)),
    ...doubts(cases.filter((row) => !row.worse)),
  ];
  return [
    'This service as a multiple of the bare server of the same run: CPU of the server process per request of each\ncase, then the rest over all cases',
    table(['', version, 'now', 'change', 'noise up to'], lines),
    words.join('\n'),
  ].join('\n\n');
}

/**
 * Says of each case in which too much is noise that it is so.
 *
 * @param {import('./verdict.mjs').Row[]} cases
 */
export function doubts(cases) {
  return cases
    .filter(({ tolerance }) => tolerance > NOISY)
    .map(
      ({ name, tolerance }) =>
        `${name}: the rounds differ so much that nothing below ${signed(tolerance)} shows; try more rounds or a quieter machine.`,
    );
}

function complaint({ name, then, now, change, tolerance }) {
  return `${name} got worse: ${now.toFixed(2)} times the bare server instead of ${then.toFixed(2)}, ${signed(change)}, where up to ${signed(tolerance)} is noise.`;
}

function signed(share) {
  const percent = Math.round(share * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}
