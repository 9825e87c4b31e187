import { expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { contractTypes } from '../contract-types.mjs';

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');

it('has the types of the committed document; `npm run openapi` writes them anew', async () => {
  const types = await contractTypes(await read('../../../docs/openapi.json'));
  expect(types).toBe(await read('../src/contract.generated.ts'));
});

it('sends each operation of the document', async () => {
  const ids = [...(await read('../../../docs/openapi.json')).matchAll(/"operationId": "(\w+)"/g)].map(
    ([, id]) => id,
  );
  const files = (await readdir(new URL('../src/', import.meta.url))).filter((file) =>
    /(?:-client|events)\.ts$/.test(file),
  );
  const sources = (await Promise.all(files.map((file) => read(`../src/${file}`)))).join('\n');
  // The actions of an order are sent by one method.
  const actions = ['cancel', 'approve', 'decline', 'deliver', 'return'].map((action) => `${action}Order`);
  expect(ids.filter((id = '') => !sources.includes(`'${id}'`) && !actions.includes(id))).toEqual([]);
});
