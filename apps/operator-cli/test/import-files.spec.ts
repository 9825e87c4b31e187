import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { FileOperator, type Outcome } from './operator.js';

jest.setTimeout(150_000);

const operator = new FileOperator();

async function run(text: string, ...args: string[]): Promise<Outcome> {
  const file = await operator.write('night.csv', text);
  return operator.run('import', [file, '--source', 'mine', ...args]);
}

describe('npm run import of a file', () => {
  it('imports nothing of one that was cut or torn', async () => {
    const text = 'ID,AnimalName,Type\nA1,Rex,Dog\nA2,Bella Nu';
    const cut = await run(text, '--format', 'petfinder', '--create-categories');
    expect(cut).toMatchObject({ exit: 3, out: expect.stringMatching(/^line 3: The file ends within/) });
    for (const format of ['petfinder', 'asm3', 'csv', 'ndjson']) {
      const torn = await run(`ANIMALCODE\n1\n${'\0'.repeat(4_096)}\n`, '--format', format);
      expect(torn).toMatchObject({ exit: 2, err: expect.stringContaining('line 3: It has a NUL') });
    }
    expect(await operator.select('select from pets')).toEqual([]);
  });

  it('warns of a form with short rows that may have been cut', async () => {
    const text = 'animalID,name,species,pic1\nA1,Bo,Dog\nA2,Max,Dog';
    const outcome = await run(text, '--format', 'rescuegroups', '--create-categories');
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
    for await (const {} of readAnimals(ASM3.reading, chunks())) count++;
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
