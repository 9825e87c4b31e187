import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { contractTypes } from '../contract-types.mjs';

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');

it('has the types of the committed document; `npm run openapi` writes them anew', async () => {
  const types = await contractTypes(await read('../../../docs/openapi.json'));
  expect(types).toBe(await read('../src/contract.generated.ts'));
});
