import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Day } from '@petstore/pet-domain';
import { csvRecords } from './csv-records.js';
import { ndjsonRecords } from './ndjson-records.js';
import { StockFileError } from '../errors.js';
import { judgeRecord, type StockRecord } from './stock-record.js';

const TOMORROW = '2026-12-31' as Day;

/** The bytes in pieces of a size, as a file or a network might give them. */
async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function all(records: AsyncIterable<StockRecord>): Promise<StockRecord[]> {
  const found: StockRecord[] = [];
  for await (const record of records) found.push(record);
  return found;
}

let ignored: readonly string[] = [];
const csv = (text: string | Buffer, size = 7): Promise<StockRecord[]> => {
  ignored = [];
  return all(csvRecords(pieces(Buffer.from(text), size), TOMORROW, (columns) => (ignored = columns)));
};
const ndjson = (text: string | Buffer, size = 7): Promise<StockRecord[]> =>
  all(ndjsonRecords(pieces(Buffer.from(text), size)));
/** Line, and the animal or what is wrong with it. */
const read = (records: readonly StockRecord[]): unknown[] =>
  records.map((record) => {
    const judged = judgeRecord(record, TOMORROW);
    return [record.line, 'flaws' in judged ? judged.flaws : judged.pet];
  });

const rex = { name: 'Rex', categoryId: '7', status: 'available' };
const name = { field: 'name', reason: expect.stringContaining('must be a string of 1 to 255') };
const categoryId = { field: 'categoryId', reason: expect.stringContaining('must be a whole number from 1') };
const rounded = {
  field: 'categoryId',
  reason: expect.stringMatching(/^must be a whole number .*has rounded it/),
};
const status = {
  field: 'status',
  reason: expect.stringContaining('must be one of available, pending, sold'),
};

describe('a CSV file', () => {
  it('has its columns in any order, others too, and either end of line', async () => {
    const records = await csv('note,status,categoryId,name\r\nx,sold,7,Rex\ny,,9223372036854775807,Mia\r\n');
    expect(read(records)).toEqual([
      [2, { ...rex, status: 'sold' }],
      [3, { name: 'Mia', categoryId: '9223372036854775807', status: 'available' }],
    ]);
    expect(ignored).toEqual(['note']);
  });

  it('may have texts in quotation marks, over several lines, and no end of its last line', async () => {
    const text = 'name,categoryId,note\r\n"A ""B"", C",7,"1\r\n2\n3"\r\n\r\n\nRex,7,\nRex,7,x';
    expect(read(await csv(text, 1))).toEqual([
      [2, { name: 'A "B", C', categoryId: '7', status: 'available' }],
      [7, rex],
      [8, rex],
    ]);
  });

  it.each([
    ['Rex,7,lost', [status]],
    ['Rex,7,Sold', [status]],
    [',7,', [name]],
    ['  ,7,', [name]],
    ['a\0b,7,', [name]],
    ['"a\nb",7,', [name]],
    [`${'x'.repeat(256)},7,`, [name]],
    ['Rex,,', [categoryId]],
    ['Rex,0,', [categoryId]],
    ['Rex,-1,', [categoryId]],
    ['Rex,007,', [categoryId]],
    ['Rex,1.5,', [categoryId]],
    ['Rex,0 7,', [categoryId]],
    ['Rex,\u00A0,', [categoryId]],
    ['Rex,9223372036854775808,', [categoryId]],
    ['Rex,1e400,', [rounded]],
    ['Rex,7e0,', [rounded]],
    ['Rex, 9.22337E+18 ,', [rounded]],
    ['Rex,"9,22E+18",', [rounded]],
    ['Rex,seven,', [categoryId]],
    [',,x', [name, categoryId, status]],
    ['Rex,7', [{ reason: 'It has 2 fields; the first line names 3 columns.' }]],
    ['Rex,7,,', [{ reason: 'It has 4 fields; the first line names 3 columns.' }]],
  ])('has no animal in %j', async (line, flaws) => {
    expect(read(await csv(`name,categoryId,status\n${line}\nRex,7,\n`))).toEqual([
      [2, flaws],
      [line.includes('\n') ? 4 : 3, rex],
    ]);
  });

  it.each(['7.0', ' 7', '\u00A07\t', '" 7 "'])('takes the number %j for 7', async (number) => {
    expect(read(await csv(`name,categoryId\nRex,${number}\n`))).toEqual([[2, rex]]);
  });

  it('has nothing in rows of nothing but commas and white space, however many there are', async () => {
    const records = await csv(
      'name,categoryId,status\n,,\nRex,7, available \n , \u00A0,\t\n"",,""\n,\n ,,,,\n  \nRex,7,',
    );
    expect(read(records)).toEqual([
      [3, rex],
      [9, rex],
    ]);
    expect(read(await csv(`name,categoryId\n${',\n'.repeat(20_000)}Rex,7\n`, 4_096))).toEqual([
      [20_002, rex],
    ]);
  });

  it('says of which field bytes are no UTF-8', async () => {
    const text = Buffer.concat([
      Buffer.from('name,categoryId\nR'),
      Buffer.from([0xff]),
      Buffer.from('x,7\nRex,7'),
    ]);
    expect(read(await csv(text))).toEqual([
      [2, [{ field: 'name', reason: 'must be encoded in UTF-8' }]],
      [3, rex],
    ]);
  });

  it.each([
    ['', 'The file is empty'],
    ['name,status\n', 'line 1: There is no column categoryId.'],
    ['Name,CategoryId\n', 'line 1: There is no column name and no column categoryId.'],
    ['name;categoryId\n', 'It has: name;categoryId'],
    ['name,categoryId,name\n', 'line 1: There are two columns name.'],
    ['name,categoryId\nRex,7\n"Rex,7\nRex,7\n', 'line 3: A quotation mark is opened and not closed.'],
    ['name,categoryId\n"Rex"x,7\n', 'line 2: There is text behind a closing quotation mark'],
    ['name,categoryId\nR"ex,7\n', 'line 2: There is a quotation mark in a text'],
    [`name,categoryId\n${'x'.repeat(20_000)},7\n`, 'line 2: The record is longer than 16 KiB'],
    [`name,categoryId\n"${'x\n'.repeat(20_000)}`, 'line 2: The record is longer than 16 KiB'],
    [`name,categoryId\nRex,7${','.repeat(20_000)}\n`, 'line 2: The record is longer than 16 KiB'],
    [`name,categoryId\nRex,7\n${`${'x'.repeat(9_000)},`.repeat(2)}\n`, 'line 3: The record is longer'],
    [','.repeat(20_000), 'line 1: The record is longer than 16 KiB'],
    ['name,categoryId\rRex,7\rMia,7\r', 'line 1: It has a carriage return.'],
  ])('cannot be read if it is %j', async (text, message) => {
    const failure = await csv(text, 4_096).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StockFileError);
    expect((failure as Error).message).toContain(message);
  });

  it.each([
    ['', ','],
    ['', 'x'],
    ['"', 'x'],
    ['"', '\n'],
    ['"', '""'],
    ['', '"",'],
  ])(
    'is read no further than a record without end is too long: %j, and %j again and again',
    async (begin, part) => {
      let read = 0;
      async function* endless(): AsyncGenerator<Buffer> {
        yield Buffer.from(`name,categoryId\nRex,7\n${begin}`);
        for (; read < 1_000; read++) yield await Promise.resolve(Buffer.alloc(4_096, part));
      }
      const reading = all(csvRecords(endless(), TOMORROW, () => undefined));
      await expect(reading).rejects.toThrow('line 3: The record is longer than 16 KiB');
      expect(read).toBeLessThan(30);
    },
  );

  it('may have as many records in each piece as in the one before', async () => {
    const line = `Rex,7,${'x'.repeat(4_089)}\n`;
    expect(await csv(`name,categoryId,note\n${line.repeat(200)}`, 4_096)).toHaveLength(200);
  });

  it('may have many empty lines', async () => {
    expect(read(await csv(`name,categoryId\n${'\n'.repeat(200_000)}Rex,7\n`, 4_096))).toEqual([
      [200_002, rex],
    ]);
  });

  it('gives every animal as it was written, however it is cut into pieces', async () => {
    const pet = fc.record({
      name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => /[a-z]/.test(text)),
      categoryId: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
      status: fc.constantFrom('available', 'pending', 'sold'),
    });
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(pet, { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        async (pets, size) => {
          const lines = pets.map((one) => `${quoted(one.name)},${one.categoryId},${one.status}\r\n`);
          const objects = pets.map(
            (one) => `${JSON.stringify(one).replace(/"categoryId":"(\d+)"/, '"categoryId":$1')}\n`,
          );
          const expected = pets.map((one, at) => [at + 1, one]);
          expect(read(await csv(`name,categoryId,status\r\n${lines.join('')}`, size))).toEqual(
            expected.map(([line, one]) => [Number(line) + 1, one]),
          );
          expect(read(await ndjson(objects.join(''), size))).toEqual(expected);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('an NDJSON file', () => {
  it('has an object on each line; blank lines are none', async () => {
    const text =
      '{"name":"Rex","categoryId":7}\r\n\n \t\n{"categoryId":7.0,"id":1,"name":"Rex","x":{"y":[]}}';
    expect(read(await ndjson(text))).toEqual([
      [1, rex],
      [4, rex],
    ]);
  });

  it.each([
    ['{"name":"Rex","categoryId":"7"}', [categoryId]],
    ['{"name":"Rex","categoryId":7,"status":null}', [status]],
    ['{"name":7,"categoryId":7}', [name]],
    ['{"name":"\\ud800","categoryId":7}', [name]],
    ['{}', [name, categoryId]],
    ['[]', [{ reason: 'The line must be one JSON object.' }]],
    ['{"name":"Rex","categoryId":7', [{ reason: 'The line must be well-formed JSON.' }]],
    ['{"name":"a\0b","categoryId":7}', [{ reason: 'The line must be well-formed JSON.' }]],
    [
      '{"name":"Rex","name":"Mia","categoryId":7}',
      [{ reason: 'A JSON object may not hold the same member name twice.' }],
    ],
    ['['.repeat(100), [{ reason: 'The line may be nested at most 64 levels deep.' }]],
    [`{"x":"${'x'.repeat(20_000)}"}`, [{ reason: 'The line is longer than 16 KiB.' }]],
  ])('has no animal in %j', async (line, flaws) => {
    expect(read(await ndjson(`${line}\n{"name":"Rex","categoryId":7}\n`, 1_000))).toEqual([
      [1, flaws],
      [2, rex],
    ]);
  });

  it('says which line is not UTF-8', async () => {
    const text = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xc3]),
      Buffer.from('","categoryId":7}\n'),
    ]);
    expect(read(await ndjson(text))).toEqual([[1, [{ reason: 'The line must be encoded in UTF-8.' }]]]);
  });
});

describe('a profile', () => {
  const HEAD = 'name,categoryId,';
  const profilesOf = (records: readonly StockRecord[]): unknown[] =>
    records.map((record) => {
      const judged = judgeRecord(record, TOMORROW);
      if ('flaws' in judged) return judged.flaws.map(({ field, reason }) => `${field ?? ''} ${reason}`);
      return judged.profile === undefined ? undefined : (JSON.parse(judged.profile) as unknown);
    });

  it('is made of columns in any order, of which an empty cell is absent', async () => {
    const text =
      'photos,photoDescriptions,sex,breeds,goodWithDogs,name,categoryId,description,vaccinated,adoptionFeeCurrency,adoptionFeeAmount\n' +
      'https://a.example/1|https://a.example/2,|On the sofa,female,Poodle|Mix,FALSE,Rex,7,"a\r\nb\rc",True,EUR,0\n' +
      ',,,,,Rex,7,,,,\n';
    expect(profilesOf(await csv(text))).toEqual([
      {
        breeds: ['Poodle', 'Mix'],
        sex: 'female',
        description: 'a\nb\nc',
        goodWith: { dogs: false },
        vaccinated: true,
        adoptionFee: { amount: '0', currency: 'EUR' },
        photos: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2', description: 'On the sofa' }],
      },
      {},
    ]);
  });

  it.each([
    ['vaccinated', 'yes', ['vaccinated must be true or false; it is "yes"']],
    ['goodWithDogs,goodWithCats', 'x,y', ['goodWithDogs must be true', 'goodWithCats must be true']],
    ['bornOn', '29.02.2024', ['bornOn must be a day that exists']],
    ['breeds', 'a|b|c|d', ['breeds must be an array of 1 to 3']],
    ['breeds', 'a||b', ['breeds must be a string of 1 to 255']],
    ['photos', 'https://a.example|http://b.example', ['photos must be an https URL']],
    ['photos', 'https://a.example|https://a.example', ['photos must differ from']],
    ['photoDescriptions', 'On the sofa', ['photoDescriptions must not have more values than photos']],
    ['photos,photoDescriptions', 'https://a.example,a|b', ['photoDescriptions must not have more values']],
    ['adoptionFeeAmount', '120', ['adoptionFeeCurrency is missing']],
    ['adoptionFeeCurrency', 'EUR', ['adoptionFeeAmount is missing']],
    [
      'adoptionFeeAmount,adoptionFeeCurrency',
      '007,eur',
      ['adoptionFeeAmount must be', 'adoptionFeeCurrency must be'],
    ],
    ['sex,size', 'm,huge', ['sex must be female or male', 'size must be small']],
  ])('has a wrong cell in %s: %s', async (columns, cells, expected) => {
    const [flaws] = profilesOf(await csv(`${HEAD}${columns}\nRex,7,${cells}\n`)) as [string[]];
    expect(flaws.map((flaw, at) => flaw.startsWith(expected[at] ?? 'nothing'))).toEqual(
      expected.map(() => true),
    );
  });

  it('has each of its columns once', async () => {
    await expect(csv(`${HEAD}sex,sex\nRex,7,male,male\n`)).rejects.toThrow('There are two columns sex.');
  });

  it('is a member of a JSON object, of which wrong members are named by their paths', async () => {
    const line = (profile: string): string => `{"name":"Rex","categoryId":7,"profile":${profile}}\n`;
    const lines = ['{"sex":"male","x":[null]}', '{}', 'null', '{"photos":[{}],"sex":"m"}', '[]', '7'].map(
      line,
    );
    expect(profilesOf(await ndjson(lines.join('')))).toEqual([
      { sex: 'male' },
      {},
      ['profile must be an object; it is null'],
      ['profile.sex must be female or male', 'profile.photos[0].url is missing'],
      ['profile must be an object'],
      ['profile must be an object; it is 7'],
    ]);
  });
});
