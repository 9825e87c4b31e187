import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { memoryFolder, type TemporaryFolder } from '@petstore/test-servers';
import { Operator, type Outcome } from './operator.js';

jest.setTimeout(150_000);

describe('npm run import of a file', () => {
  const operator = new Operator();
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await memoryFolder('import-files');
  });
  afterAll(() => folder.remove());
  beforeEach(() => operator.emptyStock());

  async function run(text: string | Buffer, format: string, ...args: string[]): Promise<Outcome> {
    await writeFile(join(folder.path, 'night.csv'), text);
    const all = ['night.csv', '--source', 'mine', '--format', format, '--category', 'dog=7', ...args];
    return operator.run('import', all, { environment: { INIT_CWD: folder.path } });
  }
  async function stock(): Promise<unknown[][]> {
    const text = `select reference, name, profile ->> 'description' from pets join pet_sources on pet_id = pets.id
      left join (select pet_id, profile::json from pet_profiles) as profiles using (pet_id) order by reference`;
    return (await operator.admin.query({ text, rowMode: 'array' })).rows;
  }

  it('cuts a description that is too long at a word, and counts it', async () => {
    const words = 'word '.repeat(1_080).trim();
    const text = `ID,AnimalName,Type,Desc\nA1,Rex,Dog,${words}\nA2,Mia,Dog,x\n`;
    const { exit, out, err } = await run(text, 'petfinder', '--json');
    expect([exit, JSON.parse(out)]).toMatchObject([0, { created: 2, refused: 0, shortened: 1 }]);
    expect(err).toContain('1 descriptions were longer than 4,000 characters');
    expect((await stock())[0]?.[2]).toBe(`${'word '.repeat(799)}word…`);
  });

  it('imports nothing of one that was cut or torn', async () => {
    const cut = await run('ID,AnimalName,Type\nA1,Rex,Dog\nA2,Bella Nu', 'petfinder');
    expect(cut).toMatchObject({ exit: 3, out: expect.stringMatching(/^line 3: The file ends within/) });
    for (const format of ['petfinder', 'asm3', 'csv', 'ndjson']) {
      const torn = await run(`ANIMALCODE\n1\n${'\0'.repeat(4_096)}\n`, format);
      expect(torn).toMatchObject({ exit: 2, err: expect.stringContaining('line 3: It has a NUL') });
    }
    expect(await stock()).toEqual([]);
  });

  it('takes each text to its first and last character, and a reference too', async () => {
    const names = ['Voilà', '(pending) Rex', '_Bella', 'Шарик Р', 'だ', 'Rex 🐶'];
    const rows = names.map((name, at) => `(${at}, ${name} ,Dog\n`);
    expect(await run(`ID,AnimalName,Type\n${rows.join('')}`, 'petfinder')).toMatchObject({ exit: 0 });
    expect((await stock()).map((row) => row.slice(0, 2))).toEqual(names.map((name, at) => [`(${at}`, name]));
  });

  it('warns of a form with short rows that may have been cut', async () => {
    const outcome = await run('animalID,name,species,pic1\nA1,Bo,Dog\nA2,Max,Dog', 'rescuegroups');
    expect(outcome).toMatchObject({ exit: 0, err: expect.stringMatching(/^warning: line 3: The file ends/) });
  });
});

describe('time and memory of a record', () => {
  /** In a process of its own: the engine runs the parser many times slower within Jest. */
  const LINEAR = `
    import { ASM3, readAnimals } from '@petstore/portal-formats';
    const HEADER = 'ANIMALCODE,ANIMALNAME,ANIMALBREED1,ANIMALDOB,ANIMALIMAGE,ANIMALDESCRIPTION,ANIMALAGE,PHOTOURLS';
    const MIB = 1024 * 1024;
    const text = JSON.parse(process.argv[1]);
    const quoted = text.replaceAll('"', '""');
    const cell = (bytes) => '"' + quoted.repeat(Math.floor(bytes / Buffer.byteLength(quoted))) + '"';
    const rows = [['A1', cell(15.9 * MIB)], ['A2', ...Array.from({ length: 7 }, () => cell(MIB))]];
    const file = Buffer.from([HEADER, ...rows.map((cells) => cells.join()), ''].join('\\n'));
    async function* chunks() {
      for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
    }
    let count = 0;
    for await (const {} of readAnimals(ASM3.reading, chunks(), { longestDescription: 4_000 })) count++;
    console.log(String(count), String(process.cpuUsage().user < 20e6));
  `;

  it.each(['<', '< ', '<br ', '&', '&#', '&a', ' ', '\n', '\r', '"', "'", ',', '0', '\u001A'])(
    'are linear in 16 MiB of %j',
    async (text) => {
      const args = ['--input-type=module', '--eval', LINEAR, JSON.stringify(text)];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: import.meta.dirname,
        timeout: 120_000,
      });
      expect(stdout).toBe('2 true\n');
    },
    150_000,
  );
});
