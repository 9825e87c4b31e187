import { describe, expect, it } from '@jest/globals';
import { ASM3, PETFINDER, PETSTORE, readAnimals, RESCUEGROUPS } from './index.js';
import { one, problemsOf, read } from './testing/read-file.js';

describe('time and memory', () => {
  it('are of the animal, and not of its rows squared', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `A1,Rex,,https://a.example/${at}.jpg\n`);
    const text = `ANIMALCODE,ANIMALNAME,ANIMALSEX,ANIMALIMAGE\nA1,Rex,Male,\n${rows.join('')}`;
    const before = process.cpuUsage();
    const [record] = await read(ASM3, text, {}, 65_536);
    expect([record?.profile.photos?.length, record?.photosLeftOut]).toEqual([20, 59_980]);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20);
  });

  it('end with the cells that a record may have', async () => {
    let given = 0;
    async function* commas(): AsyncGenerator<Buffer> {
      yield Buffer.from('ID\n');
      for (; given < 5_000; given++) yield await Promise.resolve(Buffer.alloc(65_536, ','));
    }
    await expect(readAnimals(PETFINDER.reading, commas()).next()).rejects.toThrow(
      'line 2: The record has more than 10000',
    );
    expect(given).toBeLessThan(20);
  });
});

describe('a description', () => {
  // Behind so many characters that there is room for twenty more.
  const LONG = 'x'.repeat(3_980);
  it.each([
    [`${'word '.repeat(3)}end`, 18, 'word word word end'],
    [` ${'word '.repeat(4)}`.trimEnd(), 20, ' word word word word'],
    [` ${'word '.repeat(4)}end`, 24, ' word word word…'],
    ['\nab cd\nef gh ij kl mn', 21, '\nab cd\nef gh ij kl…'],
    ['猫'.repeat(200), 200, `${'猫'.repeat(19)}…`],
    [' 🐶'.repeat(9), 18, ' 🐶'.repeat(9)],
    ['🐶'.repeat(200), 200, `${'🐶'.repeat(19)}…`],
  ])('%j of %d characters behind many is %j', async (text, length, expected) => {
    expect(Array.from(text)).toHaveLength(length);
    const [record] = await read(PETFINDER, `ID,Desc\n1,"${LONG}${text}"\n`);
    expect([record?.profile.description, record?.shortened]).toEqual([
      LONG + expected,
      expected === text ? 0 : 1,
    ]);
    expect(Array.from(expected).length).toBeLessThanOrEqual(20);
  });
});

describe('a reference', () => {
  it.each([
    ['2.02411E+11', false],
    ['2,02411e+11', false],
    ['1E-05', false],
    ['12E5', true],
    ['#N/A', false],
    ['#REF!', false],
    ['#DIV/0!', false],
    ['#NAME?', false],
    ['#12', true],
    ['E+11', true],
    ['2.02411E+11x', true],
  ])('%s is one: %s', async (cell, isOne) => {
    for (const [format, header] of [
      [PETFINDER, 'ID,Internal'],
      [RESCUEGROUPS, 'externalID,rescueID'],
      [RESCUEGROUPS, 'animalID,name'],
      [ASM3, 'ANIMALCODE,ANIMALNAME'],
      [ASM3, 'SHELTERCODE,ANIMALNAME'],
      [PETSTORE, 'reference,name,categoryId'],
    ] as const) {
      const record = await one(
        format,
        `${header}\n"${cell}",x,7\n`.replace(',7', header.endsWith('Id') ? ',7' : ''),
      );
      expect([header, record.reference, problemsOf(record)]).toEqual([
        header,
        ...(isOne ? [cell, []] : [undefined, [expect.stringMatching(/[Aa] spreadsheet/)]]),
      ]);
    }
  });
});

it('takes no word for one that every object has', async () => {
  const words = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  for (const word of words) {
    const record = await one(
      ASM3,
      `ANIMALCODE,ANIMALSIZE,ANIMALSEX,MOVEMENTTYPE,ANIMALCOATTYPE\nA1,${word},${word},${word},${word}\n`,
    );
    expect([record.profile, record.problems, record.status]).toEqual([{}, [], undefined]);
    const refused = await one(PETFINDER, `ID,Size,Sex,Status,Type\n1,${word},${word},${word},${word}\n`);
    expect([refused.profile, refused.problems.length]).toEqual([{ species: word }, 3]);
    const animal = { id: '1', name: 'x', status: 'available', categoryId: '7', profile: { species: word } };
    expect(PETFINDER.writing.write(animal, { today: '2026-01-01' })).toHaveProperty('leftOut');
  }
});
