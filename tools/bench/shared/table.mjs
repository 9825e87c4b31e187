/** A Markdown table whose columns line up: the first to the left, the others to the right. */
export function table(head, rows) {
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((row) => row[column].length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  const print = (row) => `| ${row.map(pad).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [print(lines[0]), rule, ...lines.slice(1).map(print)].join('\n');
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
