import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnitOfWork } from '@petstore/persistence';
import { PetEvent, type PetId, type PetStatus } from '@petstore/pet-domain';
import { FileOperator, type Outcome } from './operator.js';

jest.setTimeout(120_000);

const operator = new FileOperator();

const HEAD = 'ID,AnimalName,Type,Status\n';
const row = (n: number, status = 'A'): string => `A${n},Pet ${n},Dog,${status}\n`;
const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => row(from + at)).join('');

/** Imports a file of Petfinder's with these rows. */
async function run(text: string, ...args: string[]): Promise<Outcome> {
  const file = await operator.write('night.csv', HEAD + text);
  const from = ['--source', 'mine', '--format', 'petfinder', '--category', 'dog=7'];
  return operator.run('import', [file, ...from, ...args]);
}

/** What an import that must succeed counts. */
async function counts(text: string, ...args: string[]): Promise<Record<string, number>> {
  const { exit, out } = await run(text, '--json', ...args);
  expect(exit).toBe(0);
  return JSON.parse(out) as Record<string, number>;
}

const statuses = async (): Promise<unknown[]> =>
  (await operator.select('select status from pets order by id')).flat();

/** As a request does. */
const patch = (id: number, status: PetStatus): Promise<void> =>
  new UnitOfWork(operator.database).run(async (tx) => {
    const pet = await tx.pets.lock(String(id) as PetId);
    const previous = pet?.patch({ status });
    if (pet === undefined || previous === undefined) return;
    await tx.pets.update(pet, previous);
    tx.emit(PetEvent.updated(pet, previous));
  });

describe('the guard of missing animals', () => {
  it.each<[string, number, string, number]>([
    ['takes half', 10, rows(5, 10), 0],
    ['does not take more than half', 10, rows(6, 10), 4],
    ['takes ten, though they are more than a fifth', 40, rows(10, 40), 0],
    ['does not take eleven, which are more than a fifth', 40, rows(11, 40), 4],
    ['takes a fifth', 60, rows(12, 60), 0],
    ['counts an animal once that the file has again and again', 40, rows(29, 40) + row(29).repeat(30), 4],
    ['takes what the file shows as gone for missing', 40, rows(11, 40) + row(0, 'F'), 4],
  ])('%s', async (_, known, file, exit) => {
    await counts(rows(0, known));
    // What would be deleted is counted as what would be sold.
    for (const args of [['sold', '--dry-run'], ['delete', '--dry-run'], ['sold']]) {
      const outcome = await run(file, '--skip-invalid', '--missing', ...args);
      expect(outcome.exit).toBe(exit);
      if (exit === 4) expect(outcome.err).toContain('--allow-many-missing');
    }
    const left = (await statuses()).filter((status) => status !== 'sold');
    expect(left).toHaveLength(exit === 4 ? known : file.trim().split('\n').length);
  });

  it('is put aside by --allow-many-missing', async () => {
    await counts(rows(0, 40));
    const many = ['--allow-many-missing', '--missing'];
    expect(await counts(rows(0, 2), ...many, 'delete')).toMatchObject({ missing: 38, deleted: 38 });
    expect(await counts(rows(0, 1), ...many, 'sold')).toMatchObject({ missing: 1, sold: 1 });
  });

  it('counts sold ones for what is deleted, and not for what is sold', async () => {
    await counts(rows(0, 30) + Array.from({ length: 30 }, (_, at) => row(30 + at, 'X')).join(''));
    const file = rows(12, 30) + Array.from({ length: 30 }, (_, at) => row(30 + at, 'X')).join('');
    expect(await run(file, '--missing', 'sold')).toMatchObject({ exit: 4 });
    expect(await counts(file, '--missing', 'delete')).toMatchObject({ deleted: 12, sold: 0 });
  });
});

describe('an animal that was sold because it was missing', () => {
  beforeEach(async () => {
    await counts(rows(0, 4));
    expect(await counts(rows(1, 4), '--missing', 'sold')).toMatchObject({ missing: 1, sold: 1, updated: 0 });
    expect(await statuses()).toEqual(['sold', 'available', 'available', 'available']);
  });

  it('comes back when it is in the file again', async () => {
    expect(await counts(rows(1, 4), '--missing', 'sold')).toMatchObject({ missing: 1, sold: 0 });
    const { exit, out } = await run(rows(0, 4));
    expect(exit).toBe(0);
    expect(out).toContain('1 updated, 3 unchanged, 0 missing, 0 sold, 0 deleted');
    expect(await statuses()).toEqual(Array.from({ length: 4 }, () => 'available'));
    // What was taken away and given back is forgotten: the shelter now says that it is adopted.
    await counts(row(0, 'X') + rows(1, 4));
    expect(await counts(rows(0, 4))).toMatchObject({ updated: 0, unchanged: 4 });
  });

  it.each([
    ['held', 'P', 'pending'],
    ['without a status', '', 'available'],
  ])('comes back %s', async (_, word, status) => {
    await counts(row(0, word) + rows(1, 4));
    expect((await statuses())[0]).toBe(status);
  });

  it('stays sold once its shelter has called it adopted', async () => {
    await counts(row(0, 'X') + rows(1, 4));
    expect((await run(rows(0, 4))).out).toContain(
      'line 2 (A0): The file has it as available, without --reopen',
    );
    expect((await statuses())[0]).toBe('sold');
  });

  it('stays sold once somebody has changed its status', async () => {
    await patch(1, 'available');
    await patch(1, 'sold');
    await counts(rows(0, 4));
    expect((await statuses())[0]).toBe('sold');
    expect(await counts(rows(0, 4), '--reopen')).toMatchObject({ updated: 1 });
  });
});

it('says the largest change in the last line, also when records are refused', async () => {
  await counts(rows(0, 8));
  const file = `${rows(3, 8)}A8,New,Dog,A\nA9,,Dog,A\n`;
  const { exit, out, err } = await run(file, '--missing', 'sold', '--skip-invalid');
  expect(exit).toBe(3);
  expect(out).toMatch(
    /^line 8 \(A9\): AnimalName .*\nImported .*: 1 created, .* 3 missing, 3 sold, 0 deleted/,
  );
  expect(err).toBe('error: 1 of 7 records were refused; 3 sold, 1 created.\n');
});

it('reports missing animals that an order takes while the import waits for them', async () => {
  await counts(rows(0, 4));
  const result = await operator.whileWaiting(
    'petstore import',
    'select from pets for update',
    () => counts(rows(1, 4), '--missing', 'sold'),
    (session) => operator.placeOrder(1, session),
  );
  expect(result).toMatchObject({
    sold: 0,
    held: 1,
    problems: [{ reference: 'A0', reason: expect.stringContaining('it stays available') }],
  });
});
