import { ERROR_CATALOGUE, ERROR_CODES } from '@petstore/http-kernel';

/** The catalogue of errors as a Markdown table, laid out as Prettier does it. */
export function errorTable(): string {
  const rows = [
    ['status', 'code', 'when'],
    ...ERROR_CODES.map((code) => {
      const { status, when } = ERROR_CATALOGUE[code];
      return [String(status), `\`${code}\``, when];
    }),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join(
    '\n',
  );
}
