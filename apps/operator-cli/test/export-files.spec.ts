import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FileOperator, MAIN, type Outcome, runHere } from './operator.js';

jest.setTimeout(120_000);

const operator = new FileOperator();
let place: string;

beforeEach(async () => {
  const profile = { species: 'dog', breeds: ['Poodle'], sex: 'male' };
  const file = await operator.write('stock.ndjson', JSON.stringify({ name: 'Rex', categoryId: 7, profile }));
  expect(await operator.run('import', [file])).toMatchObject({ exit: 0 });
  place = join(operator.folder, 'feed');
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
});

const run = (...args: string[]): Promise<Outcome> => operator.run('export', args, { INIT_CWD: place });
const read = (name: string): Promise<string> => readFile(join(place, name), 'utf8');

describe('npm run export, to what is there', () => {
  const ARGS = ['--format', 'adoptapet', '--out'];

  it('follows links, also to what is not there yet, and keeps mode and owner', async () => {
    await mkdir(join(place, 'far'));
    await writeFile(join(place, 'far', 'old.csv'), '');
    await writeFile(join(place, 'far', 'map'), 'x');
    await chmod(join(place, 'far', 'old.csv'), 0o640);
    for (const [link, to] of [
      ['a.csv', 'b.csv'],
      ['b.csv', 'far/old.csv'],
      ['c.csv', join(place, 'far', 'new.csv')],
      ['import.cfg', 'far/map'],
    ] as const)
      await symlink(to, join(place, link));
    const before = await stat(join(place, 'far', 'old.csv'));
    for (const out of ['a.csv', 'c.csv']) expect(await run(...ARGS, out)).toMatchObject({ exit: 0 });
    for (const link of ['a.csv', 'b.csv', 'c.csv', 'import.cfg'])
      expect((await lstat(join(place, link))).isSymbolicLink()).toBe(true);
    expect(await read('far/old.csv')).toMatch(/^"1","Dog"/);
    expect(await read('far/new.csv')).toBe(await read('far/old.csv'));
    expect(await read('far/map')).toMatch(/^#1:Id/);
    const { mode, uid, gid } = await stat(join(place, 'far', 'old.csv'));
    expect([mode, uid, gid]).toEqual([before.mode, before.uid, before.gid]);
    expect((await readdir(join(place, 'far'))).sort()).toEqual(['map', 'new.csv', 'old.csv']);
  });

  it('writes into a device, and into a FIFO that is read, as to standard output', async () => {
    const device = await stat('/dev/null');
    expect(await run(...ARGS, '/dev/null')).toMatchObject({
      exit: 0,
      err: expect.stringContaining('import.cfg'),
    });
    expect((await stat('/dev/null')).ino).toBe(device.ino);
    const fifo = join(place, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const [text, { exit }] = await Promise.all([readFile(fifo, 'utf8'), run(...ARGS, 'fifo')]);
    expect([exit, text]).toEqual([0, (await run(...ARGS, '-')).out]);
    expect((await stat(fifo)).isFIFO()).toBe(true);
    expect(await readdir(place)).toEqual(['fifo']);
    expect(await run(...ARGS, '/dev/full')).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^error: \S+ cannot be written: ENOSPC\.\n$/),
    });
  });

  it.each(['a.csv', '-'])('says of a disk that is full under %s that it is the disk', async (out) => {
    await writeFile(join(place, 'a.csv'), '"1","Dog"\n');
    // Bytes that a file of the program may have: for the program, a disk that is full.
    const words = ['ulimit -f 0; exec "$@"', 'sh', process.execPath, MAIN, 'export', ...ARGS, out];
    const child = spawnSync('sh', ['-c', ...words, '--allow-many-missing'], {
      env: { ...operator.environment, INIT_CWD: place },
      encoding: 'utf8',
    });
    expect(child).toMatchObject({ status: 1, stdout: '' });
    expect(child.stderr).toMatch(/^error: \S+ cannot be written: EFBIG\.\n$/);
    expect([await readdir(place), await read('a.csv')]).toEqual([['a.csv'], '"1","Dog"\n']);
  });

  it('makes no database in which there is no animal', async () => {
    const environment = { INIT_CWD: place, PETSTORE_DATA_DIR: join(place, 'data') };
    const outcome = await runHere('export', ['--format', 'petfinder', '--out', 'a.csv'], environment);
    expect(outcome).toMatchObject({ exit: 1, err: expect.stringContaining('DATABASE_URL is not set') });
    expect(await readdir(place)).toEqual([]);
  });

  it('removes the parts of runs that were killed, when nobody has written to them for an hour', async () => {
    const old = new Date(Date.now() - 3_700_000);
    const parts = [
      '.a.csv.12.part',
      '.a.csv.12-0123abcd.part',
      '.a.csv.part',
      '.b.csv.12.part',
      '.a.csv.x.part',
    ];
    for (const name of parts) {
      await writeFile(join(place, name), 'x');
      await utimes(join(place, name), old, old);
    }
    await writeFile(join(place, '.a.csv.13.part'), 'x');
    expect(await run('--format', 'petfinder', '--out', 'a.csv')).toMatchObject({ exit: 0 });
    expect((await readdir(place)).sort()).toEqual(['.a.csv.13.part', ...parts.slice(2), 'a.csv'].sort());
  });
});
