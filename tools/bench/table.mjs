import { cpus } from 'node:os';

/** When and on what a run was made: the figures of another Node.js or machine are other ones. */
export const runOn = () =>
  `${new Date().toISOString().slice(0, 10)}, Node.js ${process.version}, ${cpus().length} x ${cpus()[0].model}`;

/** A Markdown table whose columns line up: the first to the left, the others to the right. */
export function table(head, rows) {
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((row) => row[column].length)));
  const print = ([first, ...others]) => {
    const padded = others.map((cell, column) => cell.padStart(widths[column + 1]));
    return `| ${[first.padEnd(widths[0]), ...padded].join(' | ')} |`;
  };
  const rule = widths.map((width, column) => '-'.repeat(column === 0 ? width : width - 1));
  const [title, ...body] = lines.map(print);
  return [title, print(rule.map((line, column) => (column === 0 ? line : `${line}:`))), ...body].join('\n');
}

/** The value that `share` of the values are at most: 0.5 for the median; `undefined` of none. */
export function quantile(values, share = 0.5) {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
