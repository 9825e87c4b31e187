import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ERROR_CATALOGUE } from './errors/http.errors.js';

describe('the error table in the docs', () => {
  it('is the catalogue, row by row', async () => {
    const page = await readFile(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `([a-z_]+)` +\| (.*?) +\|$/gm)];
    expect(rows.map(([, status, code, when]) => [Number(status), code, when])).toEqual(
      Object.entries(ERROR_CATALOGUE).map(([code, { status, when }]) => [status, code, when]),
    );
  });
});
