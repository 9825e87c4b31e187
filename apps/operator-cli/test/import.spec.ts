import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { ImportTool } from './import-tool.js';
import { start, tool } from './tool.js';

// Processes are started, killed and started again.
jest.setTimeout(120_000);

const stock = new ImportTool();

const HEADER = 'name,categoryId,status\n';
const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Animal ${n},${1 + (n % 5)},${n % 3 === 0 ? 'sold' : ''}\n`).join(
    '',
  );

describe('npm run import', () => {
  it('adds the animals of a file in its order, each with its event, and counts them', async () => {
    const file = await stock.file(
      'stock.csv',
      '\ufeffname,categoryId,status\r\n"Rex, the ""dog""",9223372036854775807,sold\r\nMia,7,\r\n',
    );
    const { exit, out, err } = await stock.import(file);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^Imported 2 animals in \d+\.\d s, [\d,]+ a second\.\n$/);
    expect(await stock.animals()).toEqual([
      ['Rex, the "dog"', '9223372036854775807', 'sold'],
      ['Mia', '7', 'available'],
    ]);
    const { rows } = await stock.admin.query('select type, data::json from outbox order by id');
    expect(rows).toMatchObject([
      { type: 'pet.created', data: { pet: { name: 'Rex, the "dog"', status: 'sold' } } },
      { type: 'pet.created', data: { pet: { id: 2, name: 'Mia', categoryId: 7, status: 'available' } } },
    ]);
  });

  it('imports NDJSON by the same rules', async () => {
    const text =
      '{"name":"Rex","categoryId":7.0,"owner":"x"}\n\n{"categoryId":1,"status":"pending","name":"Mia"}';
    expect(await stock.import(await stock.file('stock.txt', text), '--format', 'ndjson')).toMatchObject({
      exit: 0,
    });
    expect(await stock.animals()).toEqual([
      ['Rex', '7', 'available'],
      ['Mia', '1', 'pending'],
    ]);
  });

  it('imports nothing if a line is refused, and says of every one what is wrong', async () => {
    const file = await stock.file('bad.csv', `${HEADER}Rex,7,\n,0,lost\nMia,1,\n`);
    const { exit, out, err } = await stock.import(file);
    expect(exit).toBe(3);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^line 3: name must be a string of 1 to 255 .*; it is ""$/),
      'line 3: categoryId must be a whole number from 1 to 9223372036854775807; it is 0',
      'line 3: status must be one of available, pending, sold; it is "lost"',
      '',
    ]);
    expect(err).toBe(
      'error: 1 of 3 records were refused: nothing was imported. Mend them, or leave them out with --skip-invalid.\n',
    );
    expect([await stock.count('pets'), await stock.count('pet_imports')]).toEqual([0, 0]);
  });

  it('leaves refused lines out with --skip-invalid', async () => {
    const file = await stock.file('bad.csv', `${HEADER}Rex,7,\n,0,lost\nMia,1,\n`);
    const { exit, out } = await stock.import(file, '--skip-invalid');
    expect(exit).toBe(3);
    expect(out).toContain('Imported 2 animals');
    expect(await stock.animals()).toEqual([
      ['Rex', '7', 'available'],
      ['Mia', '1', 'available'],
    ]);
    expect((await stock.import(file, '--skip-invalid')).out).toContain('Nothing to do: 2 animals');
    expect(await stock.count('pets')).toBe(2);
  });

  it('writes nothing with --dry-run, and needs no database for it', async () => {
    const { out, exit } = await stock.import(await stock.file('stock.csv', HEADER + lines(2)), '--dry-run');
    expect({ out, exit }).toEqual({ out: '2 animals can be imported. Nothing was written.\n', exit: 0 });
    expect([await stock.count('pets'), await stock.count('pet_imports')]).toEqual([0, 0]);
    const { INIT_CWD = '' } = stock.environment;
    const alone = await tool(
      ['stock.csv', '--dry-run'],
      { INIT_CWD, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      'import',
    );
    expect(alone).toMatchObject({ exit: 0, err: '' });
    const bad = await stock.import(await stock.file('bad.csv', `${HEADER}Rex,x,\n`), '--dry-run');
    expect(bad).toMatchObject({ exit: 3, err: 'error: 1 of 1 records were refused.\n' });
  });

  it('adds a file once, and again with another token', async () => {
    const file = await stock.file('stock.csv', HEADER + lines(3));
    await stock.import(file);
    expect(await stock.import(file)).toMatchObject({
      exit: 0,
      out: 'Nothing to do: 3 animals of this file were imported earlier.\n',
    });
    expect(await stock.count('pets')).toBe(3);
    expect(await stock.import(file, '--token', 'twice')).toMatchObject({ exit: 0 });
    expect(await stock.count('pets')).toBe(6);
  });

  it('refuses the token of another file', async () => {
    await stock.import(await stock.file('one.csv', HEADER + lines(1)), '--token', 't');
    const other = await stock.import(await stock.file('two.csv', HEADER + lines(2)), '--token', 't');
    expect(other).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringContaining('belongs to the import of another'),
    });
    expect(await stock.count('pets')).toBe(1);
  });

  it('adds every animal once, in order, however often it is killed on the way', async () => {
    const count = 16_000;
    const file = await stock.file('large.csv', HEADER + lines(count));
    const done = async (): Promise<number> => {
      const { rows } = await stock.admin.query<{ records: string }>('select records from pet_imports');
      return Number(rows[0]?.records ?? 0);
    };
    for (let kill = 1; kill <= 3; kill++) {
      const child = start([file], stock.environment, 'import');
      const ended = once(child, 'exit');
      const before = await done();
      while ((await done()) < before + 2_000 && child.exitCode === null) await sleep(5);
      child.kill('SIGKILL');
      await ended;
    }
    expect(await done()).toBeGreaterThanOrEqual(6_000);
    const last = await tool([file, '--json'], stock.environment, 'import');
    expect(last).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(last.out)).toMatchObject({ records: count, refused: 0 });
    const { added, addedEarlier } = JSON.parse(last.out) as { added: number; addedEarlier: number };
    expect(added + addedEarlier).toBe(count);
    const animals = await stock.animals();
    expect(animals).toHaveLength(count);
    expect(animals.every((animal, n) => (animal as string[])[0] === `Animal ${n}`)).toBe(true);
    expect(await stock.count('outbox')).toBe(count);
  });

  it('is done by one of two runs at the same time', async () => {
    const file = await stock.file('large.csv', HEADER + lines(8_000));
    const runs = await Promise.all([
      tool([file], stock.environment, 'import'),
      tool([file], stock.environment, 'import'),
    ]);
    expect(runs.some(({ exit }) => exit === 0)).toBe(true);
    for (const { exit, err } of runs.filter((each) => each.exit !== 0)) {
      expect(exit).toBe(1);
      expect(err).toContain('Another run is importing');
    }
    expect(await stock.count('pets')).toBe(8_000);
  });

  it.each([
    [['missing.csv'], 'missing.csv cannot be read: ENOENT.'],
    [['.', '--format', 'csv'], 'is no file'],
    [['stock.xlsx'], 'is not in its name: say --format.'],
    [['stock.csv', '--token', 'a b'], 'A token is 1 to 255 visible ASCII characters.'],
    [['stock.csv', '--token', ''], 'A token is 1 to 255 visible ASCII characters.'],
    [['stock.csv', '--format', 'xml'], 'Allowed choices are csv, ndjson.'],
    [[], "missing required argument 'file'"],
  ])('exits with 2 for %j', async (args, message) => {
    const { exit, err, out } = await stock.import(...args);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain(message);
  });

  it('says so of a file in UTF-16', async () => {
    const file = await stock.file('utf16.csv', Buffer.from(`\ufeff${HEADER}Rex,7,\n`, 'utf16le'));
    expect(await stock.import(file)).toMatchObject({
      exit: 2,
      err: 'error: The file is encoded in UTF-16: save it in UTF-8.\n',
    });
  });

  it('names at most 1,000 flaws', async () => {
    const file = await stock.file('bad.ndjson', '{}\n'.repeat(3_000));
    const { exit, out } = await stock.import(file);
    expect(exit).toBe(3);
    expect(out.trimEnd().split('\n')).toHaveLength(1_001);
    expect(out).toMatch(/\nand 2,500 more lines\n$/);
    const { flaws, refused } = JSON.parse((await stock.import(file, '--json')).out) as {
      flaws: unknown[];
      refused: number;
    };
    expect([flaws.length, refused]).toEqual([1_000, 3_000]);
  });

  it('does not show control characters of a file on the terminal', async () => {
    const file = await stock.file('bad.csv', `na\u001b[2Jme,name,categoryId\nx,Rex\u001b[2J,7\n`);
    const { out, err } = await stock.import(file);
    expect(out + err).not.toContain('\u001b');
  });

  it('exits with 1 when the database cannot be reached', async () => {
    const file = await stock.file('stock.csv', HEADER + lines(1));
    const { exit, err } = await tool(
      [file],
      { ...stock.environment, DATABASE_URL: 'postgres://petstore:x@127.0.0.1:1/none' },
      'import',
    );
    expect(exit).toBe(1);
    expect(err).toMatch(/^error: .*DATABASE_URL/);
  });
});
