import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FileOperator, type Outcome, startProcess } from './operator.js';

jest.setTimeout(120_000);

const operator = new FileOperator();
let place: string;

beforeEach(async () => {
  place = join(operator.folder, 'feed');
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
});

const run = (...args: string[]): Promise<Outcome> => operator.run('export', args, { INIT_CWD: place });
const read = (name: string): Promise<string> => readFile(join(place, name), 'utf8');

async function importFile(name: string, text: string, ...args: string[]): Promise<void> {
  await writeFile(join(place, name), text);
  const outcome = await operator.run('import', [name, ...args], { INIT_CWD: place });
  expect(outcome).toMatchObject({ exit: 0 });
  await rm(join(place, name));
}

const dog = { species: 'dog', breeds: ['Poodle'], sex: 'male', size: 'large', reference: 'R1' };
/** Animals 1 to 6: two dogs, a cat without sex, one pending, one sold, and one of which little is known. */
const STOCK = [
  {
    name: 'Rex "the dog"',
    categoryId: 7,
    profile: { ...dog, description: 'a\nb', adoptionFee: { amount: '9.5', currency: 'EUR' } },
  },
  { name: 'Bo', categoryId: 7, profile: { ...dog, reference: 'R2', size: undefined } },
  { name: 'Mia', categoryId: 8, profile: { species: 'cat', breeds: ['Persian'] } },
  { name: 'Tim', categoryId: 7, status: 'pending', profile: dog },
  { name: 'Old', categoryId: 7, status: 'sold', profile: dog },
  { name: '-x', categoryId: 9 },
]
  .map((animal) => `${JSON.stringify(animal)}\n`)
  .join('');

describe('npm run export', () => {
  it('writes what a portal takes, the same bytes each time, and says what is left out', async () => {
    await importFile('stock.ndjson', STOCK);
    const { exit, out, err } = await run('--format', 'petfinder', '--out', 'a.csv');
    expect({ exit, out }).toEqual({ exit: 0, out: '' });
    expect(err.split('\n')).toEqual([
      '3 is left out: it has no sex',
      '6 is left out: it has no sex, it has no breed, it has no type',
      'note: the adoption fee in EUR is blank: the portal counts in USD (1)',
      'note: Size is M, since it is not known (1)',
      '2 written, 2 left out',
      '',
    ]);
    const [header, first, second, rest] = (await read('a.csv')).split('\n');
    expect(header).toMatch(/^"ID","Internal",.*,"tags"$/);
    expect(first).toMatch(/^"1","R1","Rex ""the dog""","Poodle","","M","L","","a&#10;b","Dog","A",/);
    expect(second).toMatch(/^"2","R2","Bo"/);
    expect(rest).toBe('');
    await run('--format', 'petfinder', '--out', 'b.csv');
    expect(await read('b.csv')).toBe(await read('a.csv'));
    const pending = await run(
      '--format',
      'petfinder',
      '--out',
      '-',
      '--include-pending',
      '--currency',
      'EUR',
    );
    expect(pending.out).toMatch(/\n"4","R1","Tim",.*"P",/);
    expect(pending.out).toContain('"9.50"');
  });

  it('chooses by category and source, and translates names', async () => {
    await importFile('stock.ndjson', STOCK);
    await importFile(
      's.csv',
      'name,categoryId,species,breeds,sex,reference\nSam,8,dog,Poodle,male,S1\n',
      '--source',
      'mine',
    );
    await operator.admin.query(`insert into categories (id, name, name_key) values (8, 'Cats', 'cats')`);
    await writeFile(join(place, 'names.csv'), 'ours,theirs\npoodle,Poodle (Standard)\n');
    const args = ['--format', 'rescuegroups', '--out', '-'];
    const names = async (...more: string[]): Promise<unknown[]> =>
      [
        ...(await run(...args, ...more)).out.matchAll(
          /^"\d+","","[^"]*","([^"]*).*?"Available","Dog","([^"]*)"/gm,
        ),
      ].map((match) => [match[1], match[2]]);
    expect(await names('--source', 'mine', '--names', 'names.csv')).toEqual([['Sam', 'Poodle (Standard)']]);
    expect(await names('--category', 'cats')).toEqual([['Sam', 'Poodle']]);
    expect((await names('--category', '7,8')).length).toBe(3);
    expect(await run(...args, '--category', 'Dragons')).toMatchObject({ exit: 2 });
    expect(await run(...args, '--names', 'no.csv')).toMatchObject({ exit: 2 });
    expect(await run(...args, '--category', '')).toMatchObject({ exit: 2 });
  });

  it('writes import.cfg for Adopt-a-Pet, whose file has no header', async () => {
    await importFile('stock.ndjson', STOCK);
    expect(await run('--format', 'adoptapet', '--out', 'pets.csv')).toMatchObject({ exit: 0 });
    expect(await read('pets.csv')).toMatch(/^"1","Dog","Poodle","","0",/);
    expect(await read('import.cfg')).toMatch(/^#1:Id=Id\n#2:Animal=Animal\n/);
    const { err } = await run('--format', 'adoptapet', '--out', '-', '--include-pending');
    expect(err).toContain('import.cfg');
    expect(err).toContain('4 is left out: it is pending\n');
  });

  it.each(['stock.csv', 'stock.ndjson'])('reads back from %s what it has written', async (name) => {
    await importFile('stock.ndjson', STOCK);
    const stock = `select name, category_id, status, profile from pets left join pet_profiles on pet_id = id
      where status <> 'sold' order by id`;
    const { rows } = await operator.admin.query(stock);
    expect(await run('--format', 'petstore', '--out', name, '--include-pending')).toMatchObject({ exit: 0 });
    const text = await read(name);
    await operator.emptyStock();
    await importFile(name, text);
    expect((await operator.admin.query(stock)).rows).toEqual(rows);
  });

  it('writes nothing without animals, or with fewer than half of those that are there', async () => {
    const args = ['--format', 'petfinder', '--out', 'a.csv'];
    expect(await run(...args)).toMatchObject({ exit: 4, err: expect.stringContaining('There is no animal') });
    expect(await run('--format', 'petfinder', '--out', '-')).toMatchObject({ exit: 4, out: '' });
    expect(await readdir(place)).toEqual([]);
    await importFile('stock.ndjson', STOCK);
    const old = '\ufeff"ID"\n1\n2\n3\n4\n5\n';
    await writeFile(join(place, 'a.csv'), old);
    expect(await run(...args)).toMatchObject({
      exit: 4,
      err: expect.stringContaining('has 5 animals, and 3 of them would go'),
    });
    const strict = await run(...args, '--strict');
    expect(strict).toMatchObject({ exit: 3, err: expect.stringMatching(/^0 written, 2 left out$/m) });
    expect(JSON.parse((await run(...args, '--json')).out)).toMatchObject({ written: 0 });
    expect(await read('a.csv')).toBe(old);
    expect(await readdir(place)).toEqual(['a.csv']);
    const { exit, out } = await run(...args, '--allow-many-missing', '--json');
    expect({ exit, ...(JSON.parse(out) as object) }).toMatchObject({
      exit: 0,
      written: 2,
      leftOut: [{ id: '3' }, { id: '6' }],
    });
  });

  const rows = (...ids: readonly string[]): string =>
    ids.map((id) => `"${id}"${',"x"'.repeat(38)}\n`).join('');
  it.each([
    ['petfinder', 'a.csv', rows('1', '2', '3', '4', '5'), 'has 5 animals'],
    ['petfinder', 'a.csv', rows('1', '2', '3'), ''],
    ['petfinder', 'a.csv', rows('1', 'A2'), ''],
    ['petfinder', 'a.csv', rows('A1', 'A2'), 'and 2 of them would go'],
    ['petstore', 'a.ndjson', '{}\n'.repeat(8) + '{}', 'has 9 animals'],
    ['petstore', 'a.ndjson', '{}\n\r\n\n\n\n\n\n\n\n{}\n', ''],
    ['petfinder', 'a.csv', 'ID\n"1\n', 'line 2: A quotation mark'],
    ['petfinder', 'a.csv', '<html>\n<p>x</p>\n', 'has 2 animals, and 2 of them would go'],
    ['petstore', 'a.ndjson', '<html>\n', 'no JSON object'],
  ])('counts the animals of the file that is there, %s in %s: %j', async (format, name, old, message) => {
    await importFile('stock.ndjson', STOCK);
    await writeFile(join(place, name), old, 'latin1');
    const { exit, err } = await run('--format', format, '--out', name);
    expect([exit, err]).toEqual([message === '' ? 0 : 4, expect.stringContaining(message)]);
    if (message !== '') expect(await read(name)).toBe(Buffer.from(old, 'latin1').toString());
  });

  it('writes sold animals with --include-sold, in the format petstore only', async () => {
    await importFile('stock.ndjson', STOCK);
    const args = ['--format', 'petstore', '--out', '-'];
    const names = async (...more: string[]): Promise<string[]> =>
      [...(await run(...args, ...more)).out.matchAll(/^"(Tim|Old)".*?"(?:pending|sold)"/gm)].map(
        (match) => match[1] ?? '',
      );
    expect(await names()).toEqual([]);
    expect(await names('--include-sold')).toEqual(['Old']);
    expect(await names('--include-sold', '--include-pending')).toEqual(['Tim', 'Old']);
    const portal = await run('--format', 'petfinder', '--out', '-', '--include-sold');
    expect(portal).toMatchObject({ exit: 2, err: expect.stringContaining('sold') });
  });

  it('leaves the old file when the database goes away in the middle', async () => {
    await importFile('stock.ndjson', STOCK);
    await writeFile(join(place, 'a.csv'), 'ID\n1\n');
    const { exit, err } = await operator.whileWaiting(
      'petstore export',
      'lock table pet_profiles in access exclusive mode',
      () => run('--format', 'petfinder', '--out', 'a.csv'),
      () =>
        operator.admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore export'`,
        ),
    );
    expect([exit, err]).toEqual([1, expect.stringMatching(/^error: The database [^\n]*\n$/)]);
    expect([await read('a.csv'), await readdir(place)]).toEqual(['ID\n1\n', ['a.csv']]);
  });

  it('leaves the old file when it is killed', async () => {
    await importFile('stock.ndjson', STOCK);
    await writeFile(join(place, 'a.csv'), 'ID\n1\n');
    const environment = { ...operator.environment, INIT_CWD: place };
    let child = new ChildProcess();
    await operator.whileWaiting(
      'petstore export',
      'lock table pet_profiles in access exclusive mode',
      () => {
        child = startProcess('export', ['--format', 'petfinder', '--out', 'a.csv'], environment);
        return once(child, 'exit');
      },
      () => Promise.resolve(child.kill('SIGKILL')),
    );
    expect(await read('a.csv')).toBe('ID\n1\n');
    expect((await readdir(place)).filter((name) => !/^\.a\.csv\.[0-9a-f]+\.part$/.test(name))).toEqual([
      'a.csv',
    ]);
  });
});
