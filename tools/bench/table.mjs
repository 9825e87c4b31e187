/** A Markdown table whose columns line up: the first to the left, the others to the right. */
export function table(head, rows) {
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((row) => row[column].length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  const print = (row) => `| ${row.map(pad).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [print(lines[0]), `| ${rule.join(' | ')} |`, ...lines.slice(1).map(print)].join('\n');
}

/** The value that `share` of the values are at most: 0.5 for the median. */
export function quantile(values, share = 0.5) {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
