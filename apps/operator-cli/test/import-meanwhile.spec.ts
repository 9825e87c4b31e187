import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { memoryFolder, type TemporaryFolder } from '@petstore/test-servers';
import { Operator, type Outcome } from './operator.js';

jest.setTimeout(120_000);

const operator = new Operator();
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await memoryFolder('import-meanwhile');
});
afterAll(() => folder.remove());
beforeEach(() => operator.emptyStock());

const write = (text: string): Promise<void> =>
  writeFile(join(folder.path, 'stock.csv'), `ID,AnimalName,Type\n${text}`);
const run = (source: string): Promise<Outcome> => {
  const args = ['stock.csv', '--source', source, '--format', 'petfinder', '--create-categories'];
  return operator.run('import', args, { environment: { INIT_CWD: folder.path } });
};
async function select(text: string): Promise<unknown[][]> {
  return (await operator.admin.query({ text, rowMode: 'array' })).rows;
}

it('reports a record that only the second reading refuses', async () => {
  await write('A1,Rex,Dog\n');
  await run('mine');
  await write('A1,Max,Dog\n');
  const { exit, out, err } = await operator.whileWaiting(
    'petstore import',
    'select from pets for update',
    () => run('mine'),
    (session) =>
      session.query(
        `update pets set name = 'Mia'; update pet_profiles set profile = '{"species":"Cat","reference":"A1"}'`,
      ),
  );
  expect([exit, err]).toEqual([3, 'error: 1 of 1 records were refused.\n']);
  expect(out).toMatch(
    /^line 2 \(A1\): It is another animal .*\nImported .*: 0 created, 0 updated, .*1 refused\.\n$/,
  );
  expect(await select('select name from pets')).toEqual([['Mia']]);
});

it('makes a category once for two sources at a time', async () => {
  await write('A1,Rex,Dog\nA2,Mia,Cat\n');
  const both = await Promise.all([run('one'), run('two')]);
  expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
  const animals = `
    select categories.name, count(*)::int from categories join pets on category_id = categories.id group by 1 order by 1`;
  expect(await select(animals)).toEqual([
    ['Cat', 2],
    ['Dog', 2],
  ]);
});
