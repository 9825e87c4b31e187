import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { FileOperator, type Outcome, runProcess } from './operator.js';

// A process is started.
jest.setTimeout(120_000);

const operator = new FileOperator();
const { write: fileOf, select } = operator;

const importFile = (...args: string[]): Promise<Outcome> => operator.run('import', args);

/** Name, category and status of all animals in the order in which they were added. */
const animals = (): Promise<unknown[][]> => select('select name, category_id, status from pets order by id');
const count = async (table: 'pets' | 'pet_imports'): Promise<unknown> =>
  (await select(`select count(*)::int from ${table}`))[0]?.[0];

const HEADER = 'name,categoryId,status\n';
const lines = (length: number): string =>
  Array.from({ length }, (_, n) => `Animal ${n},${1 + (n % 5)},${n % 3 === 0 ? 'sold' : ''}\n`).join('');

describe('npm run import', () => {
  it('adds the animals of a file in its order, each with its event, and counts them', async () => {
    const file = await fileOf(
      'animals.csv',
      '\ufeffname,categoryId,status\r\n"Rex, the ""dog""",9223372036854775807,sold\r\nMia,7,\r\n',
    );
    const { exit, out, err } = await importFile(file);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^Imported in \d+\.\d s: 2 created, 0 updated, .*\.\n$/);
    expect(await animals()).toEqual([
      ['Rex, the "dog"', '9223372036854775807', 'sold'],
      ['Mia', '7', 'available'],
    ]);
    const { rows } = await operator.admin.query('select type, data::json from outbox order by id');
    expect(rows).toMatchObject([
      { type: 'pet.created', data: { pet: { name: 'Rex, the "dog"', status: 'sold' } } },
      { type: 'pet.created', data: { pet: { id: 2, name: 'Mia', categoryId: 7, status: 'available' } } },
    ]);
  });

  it('imports NDJSON by the same rules', async () => {
    const text =
      '{"name":"Rex","categoryId":7.0,"owner":"x"}\n\n{"categoryId":1,"status":"pending","name":"Mia"}';
    const { exit } = await importFile(await fileOf('animals.txt', text), '--format', 'ndjson');
    expect(exit).toBe(0);
    expect(await animals()).toEqual([
      ['Rex', '7', 'available'],
      ['Mia', '1', 'pending'],
    ]);
  });

  it('imports nothing if a line is refused, and says of every one what is wrong', async () => {
    const file = await fileOf('bad.csv', `${HEADER}Rex,7,\n,0,lost\nMia,1,\n`);
    const { exit, out, err } = await importFile(file);
    expect(exit).toBe(3);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^line 3: name must be a string of 1 to 255 .*; it is missing$/),
      'line 3: categoryId must be a whole number from 1 to 9223372036854775807; it is 0',
      'line 3: status must be one of available, pending, sold; it is "lost"',
      '',
    ]);
    expect(err).toBe(
      'error: 1 of 3 records were refused: nothing was imported. Fix them, or leave them out with --skip-invalid.\n',
    );
    const { out: json } = await importFile(file, '--json');
    expect(JSON.parse(json)).toMatchObject({ records: 3, created: 0, refused: 1 });
    expect([await count('pets'), await count('pet_imports')]).toEqual([0, 0]);
  });

  it('holds few records at once, however long their texts are', async () => {
    const description = 'ä'.repeat(4_000);
    const lines = Array.from(
      { length: 1_500 },
      (_, n) => `${JSON.stringify({ name: `Animal ${n}`, categoryId: 7, profile: { description } })}\n`,
    );
    const file = await fileOf('long.ndjson', lines.join(''));
    const little = { ...operator.environment, NODE_OPTIONS: '--max-old-space-size=64' };
    expect(await runProcess('import', [file], little)).toMatchObject({ exit: 0 });
  });

  it('leaves refused lines out with --skip-invalid', async () => {
    const file = await fileOf('bad.csv', `${HEADER}Rex,7,\n,0,lost\nMia,1,\n`);
    const { exit, out } = await importFile(file, '--skip-invalid');
    expect(exit).toBe(3);
    expect(out).toContain(': 2 created, ');
    expect((await animals()).map(([name]) => name)).toEqual(['Rex', 'Mia']);
    expect((await importFile(file, '--skip-invalid')).out).toContain(': 0 created, 0 updated, 2 unchanged');
    expect(await count('pets')).toBe(2);
  });

  it('writes nothing with --dry-run, and needs a database', async () => {
    const file = await fileOf('animals.csv', HEADER + lines(2));
    const { out, exit } = await importFile(file, '--dry-run');
    expect(exit).toBe(0);
    expect(out).toMatch(/^Dry run: 2 created, .*Nothing was written\.\n$/);
    expect([await count('pets'), await count('pet_imports')]).toEqual([0, 0]);
    const none = { DATABASE_URL: 'postgres://petstore:x@127.0.0.1:1/none' };
    const failed = await operator.run('import', [file], none);
    expect(failed).toMatchObject({ exit: 1, err: expect.stringMatching(/^error: .*DATABASE_URL/) });
    const bad = await importFile(await fileOf('bad.csv', `${HEADER}Rex,x,\n`), '--dry-run');
    expect(bad).toMatchObject({ exit: 3, err: 'error: 1 of 1 records were refused.\n' });
  });

  it('adds a file once, again with another token, and refuses the token of another file', async () => {
    const file = await fileOf('animals.csv', HEADER + lines(3));
    await importFile(file);
    expect(await importFile(file)).toMatchObject({
      exit: 0,
      out: expect.stringContaining(': 0 created, 0 updated, 3 unchanged'),
    });
    expect(await count('pets')).toBe(3);
    expect(await importFile(file, '--token', 'twice')).toMatchObject({ exit: 0 });
    const other = await importFile(await fileOf('other.csv', HEADER + lines(2)), '--token', 'twice');
    const err = expect.stringContaining('belongs to the import of another');
    expect(other).toEqual({ exit: 2, out: '', err });
    expect(await count('pets')).toBe(6);
  });

  it('names at most 1,000 problems', async () => {
    const file = await fileOf('bad.ndjson', '{}\n'.repeat(3_000));
    const { exit, out } = await importFile(file);
    expect(exit).toBe(3);
    expect(out.trimEnd().split('\n')).toHaveLength(1_001);
    expect(out).toMatch(/\nand 2,500 more lines\n$/);
    const printed = JSON.parse((await importFile(file, '--json')).out) as { problems: object[] };
    expect(printed).toMatchObject({ refused: 3_000 });
    expect(printed.problems).toHaveLength(1_000);
  });

  it('does not show control characters of a file on the terminal', async () => {
    const file = await fileOf('bad.csv', `na\u001b[2Jme,name,categoryId\nx,Rex\u001b[2J,7\n`);
    const { out, err } = await importFile(file);
    expect(out + err).not.toContain('\u001b');
  });
});

describe('a file', () => {
  const run = async (text: string, ...args: string[]): Promise<Outcome> =>
    importFile(await fileOf('night.csv', text), '--source', 'mine', ...args);

  it('imports nothing of one that was cut or torn', async () => {
    const text = 'ID,AnimalName,Type\nA1,Rex,Dog\nA2,Bella Nu';
    const cut = await run(text, '--format', 'petfinder', '--create-categories');
    expect(cut).toMatchObject({ exit: 3, out: expect.stringMatching(/^line 3: The file ends within/) });
    for (const format of ['petfinder', 'asm3', 'csv', 'ndjson']) {
      const torn = await run(`ANIMALCODE\n1\n${'\0'.repeat(4_096)}\n`, '--format', format);
      expect(torn).toMatchObject({ exit: 2, err: expect.stringContaining('line 3: It has a NUL') });
    }
    expect(await select('select from pets')).toEqual([]);
  });

  it('warns of a form with short rows that may have been cut', async () => {
    const text = 'animalID,name,species,pic1\nA1,Bo,Dog\nA2,Max,Dog';
    const outcome = await run(text, '--format', 'rescuegroups', '--create-categories');
    expect(outcome).toMatchObject({ exit: 0, err: expect.stringMatching(/^warning: line 3: The file ends/) });
  });
});

/**
 * In a process of its own: the engine runs the parser many times slower within Jest. Prints the texts for which a record
 * of a megabyte takes longer than its length explains.
 */
const SLOW_TEXTS = `
  import { ASM3, readAnimals } from '@petstore/portal-formats';
  const HEADER = 'ANIMALCODE,ANIMALNAME,ANIMALBREED1,ANIMALDOB,ANIMALIMAGE,ANIMALDESCRIPTION,ANIMALAGE,PHOTOURLS';
  const MIB = 1024 * 1024;
  async function* chunks(file) {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
  }
  const slow = [];
  for (const text of JSON.parse(process.argv[1])) {
    const quoted = text.replaceAll('"', '""');
    const cell = (bytes) => '"' + quoted.repeat(Math.floor(bytes / Buffer.byteLength(quoted))) + '"';
    const rows = [['A1', cell(MIB)], ['A2', ...Array.from({ length: 7 }, () => cell(MIB / 8))]];
    const begun = process.cpuUsage();
    let count = 0;
    const file = Buffer.from([HEADER, ...rows.map((cells) => cells.join()), ''].join('\\n'));
    for await (const {} of readAnimals(ASM3.reading, chunks(file))) count++;
    if (count !== 2 || process.cpuUsage(begun).user > 3e6) slow.push([text, count]);
  }
  console.log(JSON.stringify(slow));
`;

it('reads a record in a time that is linear in its length', async () => {
  const texts = ['<', '< ', '<br ', '&', '&#', '&a', ' ', '\n', '\r', '"', "'", ',', '0', '\u001A'];
  const args = ['--input-type=module', '--eval', SLOW_TEXTS, JSON.stringify(texts)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(stdout).toBe('[]\n');
});
