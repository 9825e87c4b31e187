import { describe, expect, it, jest } from '@jest/globals';
import { FileOperator, type Outcome } from './operator.js';

jest.setTimeout(120_000);

const operator = new FileOperator();
const { placeOrder, select } = operator;

/** What `--json` prints. */
interface Result {
  readonly created: number;
  readonly problems: readonly { readonly line?: number; readonly reason: string }[];
}

async function run(text: string | Buffer, ...args: string[]): Promise<Outcome> {
  const file = await operator.write('stock.csv', text);
  return operator.run('import', [file, '--source', 'mine', ...args]);
}

/** Imports a file of Petfinder's, which must succeed. */
async function petfinder(text: string, ...args: string[]): Promise<Result> {
  const outcome = await run(text, '--format', 'petfinder', '--json', '--category', 'dog=7,cat=8', ...args);
  expect(outcome).toMatchObject({ exit: 0 });
  return JSON.parse(outcome.out) as Result;
}

/** Reference, name, status, category and profile of all animals of the source. */
const stock = (): Promise<unknown[][]> =>
  select(`select reference, name, status, category_id, profile::json from pets
    join pet_sources on pet_id = pets.id left join pet_profiles using (pet_id) order by reference`);
const events = (): Promise<unknown[][]> =>
  select(`with moved as (delete from outbox returning id, type, data::json as data)
    select type, data #>> '{pet,name}', data -> 'previous' from moved order by id`);

const HEAD = 'ID,AnimalName,Type,Sex,Status,NoDogs,NoCats,PrimaryBreed,photo1\n';
const REX = 'A1,Rex,Dog,M,A,0,1,Poodle,https://a.example/1.jpg\n';
const MIA = 'A2,Mia,Cat,F,P,,,,\n';

describe('npm run import --source', () => {
  it('takes nothing away for a record whose reference cannot be read: it may be any of them', async () => {
    await petfinder(HEAD + REX + MIA);
    const cut = Buffer.from(`${HEAD}${MIA}\xff,Rex,Dog,M,A,0,1,Poodle,\n`, 'latin1');
    const args = [
      '--format',
      'petfinder',
      '--category',
      'dog=7,cat=8',
      '--missing',
      'delete',
      '--skip-invalid',
    ];
    expect(await run(cut, ...args)).toMatchObject({ exit: 3 });
    expect((await stock()).map(([reference]) => reference)).toEqual(['A1', 'A2']);
  });

  it('keeps a number of the shelter that a later file does not say', async () => {
    await petfinder('ID,Internal,AnimalName,Type\nA1,I7,Rex,Dog\n');
    expect(await petfinder('ID,Internal,AnimalName,Type\nA1,,Rex,Dog\n')).toMatchObject({ unchanged: 1 });
    expect(await petfinder('ID,Internal\nA1,A1\n')).toMatchObject({ updated: 1 });
  });

  it.each([
    ['asm3', 'ANIMALCODE,ANIMALNAME,ANIMALSPECIES'],
    ['petfinder', 'ID,AnimalName,Type'],
  ])(
    "sets a hand's edit of the reference back where a file of %s has no number beside",
    async (format, head) => {
      const file = `${head}\nA1,Rex,Dog\n`;
      const args = ['--format', format, '--category', 'dog=7', '--json'];
      await run(file, ...args);
      await operator.admin.query(
        `update pet_profiles set profile = '{"species":"Dog","reference":"by hand"}'`,
      );
      expect(JSON.parse((await run(file, ...args)).out)).toMatchObject({ updated: 1 });
      expect((await stock())[0]?.[4]).toMatchObject({ reference: 'A1' });
    },
  );

  it('knows no animal that is gone in the petstore format, and no movement in a file without movements', async () => {
    const gone = await run('name,categoryId,status,reference\nRex,7,gone,A1\n');
    expect(gone).toMatchObject({ exit: 3, out: expect.stringContaining('status') });
    const asm3 = (text: string): Promise<Outcome> => run(text, '--format', 'asm3', '--category', 'dog=7');
    await asm3('ANIMALCODE,ANIMALNAME,ANIMALSPECIES,MOVEMENTTYPE\nS1,Rex,Dog,Reservation\n');
    await asm3('ANIMALCODE,ANIMALNOTFORADOPTION\nS1,\n');
    expect((await stock()).map((row) => row.slice(0, 3))).toEqual([['S1', 'Rex', 'pending']]);
    const other = await asm3('ANIMALCODE,ANIMALNAME,ANIMALSPECIES,ANIMALSEX\nY9,Yed,Dog,M\nY9,Other,Dog,F\n');
    expect(other).toMatchObject({ exit: 3, out: expect.stringContaining('is in the file twice') });
  });

  it('adds new animals, changes what has changed, and writes nothing for what is equal', async () => {
    const first = await petfinder(HEAD + REX + MIA);
    const none = { updated: 0, unchanged: 0, missing: 0, refused: 0, problems: [] };
    expect(first).toMatchObject({ created: 2, ...none });
    const rex = { species: 'Dog', breeds: ['Poodle'], sex: 'male', goodWith: { dogs: true, cats: false } };
    expect(await stock()).toEqual([
      [
        'A1',
        'Rex',
        'available',
        '7',
        { ...rex, reference: 'A1', photos: [{ url: 'https://a.example/1.jpg' }] },
      ],
      ['A2', 'Mia', 'pending', '8', { species: 'Cat', sex: 'female', reference: 'A2' }],
    ]);
    expect((await events()).map(([type, name]) => `${type as string} ${name as string}`)).toEqual([
      'pet.created Rex',
      'pet.profile_updated Rex',
      'pet.created Mia',
      'pet.profile_updated Mia',
    ]);
    expect(await petfinder(HEAD + REX + MIA)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect(await events()).toEqual([]);
    const next = await petfinder(`${HEAD}A1,Max,Dog,,X,1,,,\n${MIA}`);
    expect(next).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    const [[, name, status, , profile] = []] = await stock();
    expect([name, status, profile]).toMatchObject([
      'Max',
      'sold',
      { ...rex, goodWith: { dogs: false, cats: false }, photos: [{ url: 'https://a.example/1.jpg' }] },
    ]);
    expect(await events()).toEqual([
      ['pet.updated', 'Max', { name: 'Rex', status: 'available' }],
      ['pet.profile_updated', 'Max', null],
    ]);
  });

  it('counts, sells or deletes what is missing, and skips what is new and not for adoption', async () => {
    const many = Array.from({ length: 8 }, (_, n) => `B${n},Pet ${n},Dog,M,A,,,,\n`);
    await petfinder(HEAD + many.join(''));
    const file = `${HEAD}${many.slice(0, 5).join('')}B5,Pet 5,Dog,M,F,,,,\nC1,New,Dog,M,F,,,,\n`;
    expect(await petfinder(file)).toMatchObject({ missing: 3, skipped: 1, unchanged: 5 });
    await placeOrder(8);
    const sold = await petfinder(file, '--missing', 'sold');
    expect(sold).toMatchObject({ missing: 3, sold: 2, deleted: 0, held: 1, updated: 0 });
    expect(sold.problems).toEqual([{ reference: 'B7', reason: expect.stringContaining('order') }]);
    expect((await stock()).map(([, , status]) => status).slice(5)).toEqual(['sold', 'sold', 'available']);
    await events();
    expect(await petfinder(file, '--missing', 'delete')).toMatchObject({ missing: 3, deleted: 2, held: 1 });
    expect((await events()).map(([type, name]) => [type, name])).toEqual([
      ['pet.deleted', 'Pet 5'],
      ['pet.deleted', 'Pet 6'],
    ]);
    expect((await stock()).map(([reference]) => reference)).toEqual(['B0', 'B1', 'B2', 'B3', 'B4', 'B7']);
  });

  it('leaves the status of animals that an order holds, and of sold ones without --reopen', async () => {
    await petfinder(`${HEAD}A1,Rex,Dog,M,A,,,,\nA2,Mia,Cat,F,X,,,,\n`);
    await placeOrder(1);
    const file = `${HEAD}A1,Rex,Dog,M,P,,,,\nA2,Mia,Cat,F,A,,,,\n`;
    const result = await petfinder(file);
    expect(result).toMatchObject({ updated: 0, unchanged: 2, held: 1 });
    expect(result.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'An order holds the animal: it stays available.'],
      [3, 'The file has it as available, without --reopen: it stays sold.'],
    ]);
    const blank = await petfinder('ID,AnimalName\nA1,Rex\nA2,Mia\n', '--reopen');
    expect(blank).toMatchObject({ unchanged: 2, held: 1 });
    expect(blank.problems.map(({ reason }) => reason)).toEqual([
      'An order holds the animal: it stays available.',
      'The file shows it without a status: it stays sold.',
    ]);
    expect(await petfinder(file, '--reopen')).toMatchObject({ updated: 1, held: 1 });
    expect((await stock()).map(([, , status]) => status)).toEqual(['available', 'available']);
  });

  it.each([
    [
      'petfinder',
      `ID,AnimalName,Status\n${'x'.repeat(256)},A,F\n,B,F\n`,
      [/^line 2: ID must be/, /^line 3: ID is missing/],
    ],
    [
      'petfinder',
      `ID,AnimalName,PrimaryBreed,birth_date,adoption_fee\n1,,${'x'.repeat(256)},1899-12-31,0120\n`,
      [/ AnimalName .*missing$/, / PrimaryBreed /, / birth_date /, / adoption_fee .*"0120"$/],
    ],
    [
      'csv',
      'name,categoryId,reference,photos\nRex,7,a\u0007,http://x\n',
      [/: reference must/, / photos must/],
    ],
    [
      'ndjson',
      '{"name":"Rex","categoryId":7,"profile":{"reference":"\\ud800"}}\n{"name":"Rex","categoryId":7}\n',
      [/1: profile\.reference must/, /2: profile\.reference is missing/],
    ],
  ])('says by line and column why it refuses records of %s', async (format, text, problems) => {
    const { exit, out } = await run(text, '--format', format);
    expect(exit).toBe(3);
    expect(out.trimEnd().split('\n')).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });

  it('finds a category by option, by name or makes one, or says these three ways', async () => {
    const file = `${HEAD}A1,Rex,Dog,M,A,,,,\nA2,Mia,Cat,F,A,,,,\nA3,Bo,"Scales, Fins & Other",F,A,,,,\n`;
    await operator.admin.query(`insert into categories (id, name, name_key) values (70, 'cat', 'cat')`);
    const refused = await run(file, '--format', 'petfinder', '--category', 'DOG=7');
    expect(refused).toMatchObject({ exit: 3 });
    expect(refused.out).toMatch(/^line 4 \(A3\): .*--category .*name.*--create-categories\.\n$/);
    expect(
      await run(file, '--format', 'petfinder', '--category', 'dog=7', '--create-categories'),
    ).toMatchObject({ exit: 0 });
    const [[made] = []] = await select(`select id from categories where name like 'Scales%'`);
    expect((await stock()).map(([, , , category]) => category)).toEqual(['7', '70', made]);
    expect((await events())[0]?.[0]).toBe('category.created');
    const pairs = 'dog=7,"Scales, Fins & Other"=9';
    const named = await run(file.replaceAll('A', 'B'), '--format', 'petfinder', '--category', pairs);
    expect(named).toMatchObject({ exit: 3 });
  });

  it('refuses another animal with a known reference, unless --force', async () => {
    await petfinder(HEAD + REX);
    const file = `${HEAD}A1,Mia,Cat,F,A,,,,\n`;
    const refused = await run(file, '--format', 'petfinder');
    expect(refused).toMatchObject({
      exit: 3,
      out: expect.stringContaining('another animal with this reference'),
    });
    expect(await petfinder(file, '--force')).toMatchObject({ updated: 1 });
    expect((await stock())[0]?.[4]).toEqual({ species: 'Cat', sex: 'female', reference: 'A1' });
  });

  it('refuses a reference that is there twice, and a record without one', async () => {
    const refused = await run(
      `${HEAD}${REX}${MIA}${REX},Tim,Dog,M,A,,,,\n`,
      '--format',
      'petfinder',
      '--create-categories',
    );
    expect(refused).toMatchObject({ exit: 3 });
    expect(refused.out).toBe(
      'line 4 (A1): The reference "A1" is in the file twice.\nline 5: ID is missing: with --source each record needs one\n',
    );
    expect(await stock()).toEqual([]);
  });

  it('creates an animal anew that was deleted here', async () => {
    await petfinder(HEAD + REX);
    await operator.admin.query('delete from pets');
    expect(await petfinder(HEAD + REX)).toMatchObject({ created: 1 });
  });

  it('decides anew on animals that somebody changes while it waits for them', async () => {
    await petfinder(HEAD + REX + MIA);
    const file = `${HEAD}A1,Max,Dog,M,A,0,1,Poodle,\nA2,Mimi,Cat,F,P,,,,\n`;
    const result = await operator.whileWaiting(
      'petstore import',
      'select from pets for update',
      () => petfinder(file),
      (session) =>
        session.query(
          `update pets set status = 'sold' where name = 'Rex'; delete from pets where name = 'Mia'`,
        ),
    );
    expect(result).toMatchObject({ created: 1, updated: 1 });
    expect((await stock()).map((row) => row.slice(0, 3))).toEqual([
      ['A1', 'Max', 'sold'],
      ['A2', 'Mimi', 'pending'],
    ]);
  });

  it('reads the format petstore by the reference of the profile', async () => {
    const file = 'name,categoryId,reference,status\nRex,7,R1,\nMia,7,R2,sold\n';
    expect(await run(file)).toMatchObject({ exit: 0 });
    expect(await run('name,categoryId,reference\nMax,8,R1\nTim,7,\n', '--skip-invalid')).toMatchObject({
      exit: 3,
      out: expect.stringMatching(/^line 3: reference is missing.*\nImported .*1 updated/),
    });
    expect((await stock()).map((row) => row.slice(0, 4))).toEqual([
      ['R1', 'Max', 'available', '7'],
      ['R2', 'Mia', 'sold', '7'],
    ]);
  });

  it('reports a record that only the second reading refuses', async () => {
    await petfinder('ID,AnimalName,Type\nA1,Rex,Dog\n');
    const { exit, out, err } = await operator.whileWaiting(
      'petstore import',
      'select from pets for update',
      () => run('ID,AnimalName,Type\nA1,Max,Dog\n', '--format', 'petfinder'),
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
    const file = await operator.write('two.csv', 'ID,AnimalName,Type\nA1,Rex,Dog\nA2,Mia,Cat\n');
    const args = [file, '--format', 'petfinder', '--create-categories', '--source'];
    const both = await Promise.all(['one', 'two'].map((name) => operator.run('import', [...args, name])));
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    const animals = `
      select categories.name, count(*)::int from categories join pets on category_id = categories.id group by 1 order by 1`;
    expect(await select(animals)).toEqual([
      ['Cat', 2],
      ['Dog', 2],
    ]);
  });
});

describe('npm run import of a file', () => {
  it('cuts a description that is too long at a word, and counts it', async () => {
    const words = 'word '.repeat(1_080).trim();
    const text = `ID,AnimalName,Type,Desc\nA1,Rex,Dog,${words}\nA2,Mia,Cat,x\n`;
    expect(await petfinder(text)).toMatchObject({ created: 2, refused: 0, shortened: 1 });
    expect((await stock())[0]?.[4]).toMatchObject({ description: `${'word '.repeat(799)}word…` });
  });

  it('takes each text to its first and last character, and a reference by its letters', async () => {
    const names = ['Voilà', '(pending) Rex', '_Bella', 'Шарик Р', 'だ', 'Rex 🐶'];
    const file = (form: string): string =>
      `ID,AnimalName,Type\n${names.map((name, at) => `(${at}é, ${name} ,Dog\n`).join('')}`.normalize(form);
    await petfinder(file('NFC'));
    expect((await stock()).map((row) => row.slice(0, 2))).toEqual(names.map((name, at) => [`(${at}é`, name]));
    expect(await petfinder(file('NFD'))).toMatchObject({ created: 0, missing: 0 });
  });
});
