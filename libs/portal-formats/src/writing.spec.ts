import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Animal, Profile, WriteOptions, WrittenFormat } from './index.js';
import { ADOPTAPET, csvText, PETFINDER, PETSTORE, RESCUEGROUPS, rowOf } from './index.js';
import { read } from './testing/read-file.js';

const OPTIONS: WriteOptions = { today: '2026-06-30' };

const animal = (profile: Profile, status = 'available'): Animal => ({
  ...{ id: '42', name: 'Rex', categoryId: '7', status },
  profile,
});

function written({ writing }: WrittenFormat, one: Animal, options = OPTIONS): Record<string, string> {
  const result = writing.write(one, options);
  if ('leftOut' in result) return { leftOut: result.leftOut };
  const row = rowOf(writing, result.cells);
  const cells = Object.fromEntries(writing.columns.map((column, at) => [column, row[at] ?? '']));
  const { notes = [], shortened = [] } = result;
  return { ...cells, notes: notes.join(), shortened: shortened.join() };
}

const DOG: Profile = { species: 'dog', breeds: ['Poodle', 'Mix'], sex: 'female' };

describe('petfinder', () => {
  it('gets 39 columns, its No columns inverted', () => {
    const profile: Profile = {
      ...{
        ...DOG,
        reference: 'A1',
        size: 'xlarge',
        bornOn: '2024-06-30',
        mixedBreed: true,
        vaccinated: false,
      },
      ...{
        coat: 'wire',
        description: 'a\nb & <c>',
        goodWith: { dogs: true, cats: false },
        colors: ['Black', 'Tan'],
      },
      adoptionFee: { amount: '99.995', currency: 'USD' },
      photos: Array.from({ length: 8 }, (_, n) => ({ url: `https://a.example/${n}` })),
    };
    const cells = written(PETFINDER, animal(profile));
    expect(PETFINDER.writing.columns).toHaveLength(39);
    expect(cells).toMatchObject({
      ...{
        ID: '42',
        Internal: 'A1',
        AnimalName: 'Rex',
        PrimaryBreed: 'Poodle',
        SecondaryBreed: 'Mix',
        Sex: 'F',
      },
      ...{ Size: 'XL', Age: 'Young', Desc: 'a&#10;b & <c>', Type: 'Dog', Status: 'A', Shots: '', Mix: '1' },
      ...{ NoDogs: '0', NoCats: '1', NoKids: '', birth_date: '2024-06-30', primaryColor: 'Black' },
      ...{ secondaryColor: 'Tan', coat_length: 'Wire', adoption_fee: '100.00', display_adoption_fee: '1' },
      ...{ photo6: 'https://a.example/5', notes: '' },
    });
  });

  it('gets M for an unknown size, P for a pending one, and no fee in another currency', () => {
    const cells = written(
      PETFINDER,
      animal({ ...DOG, adoptionFee: { amount: '1', currency: 'EUR' } }, 'pending'),
    );
    expect(cells).toMatchObject({ Size: 'M', Status: 'P', adoption_fee: '', display_adoption_fee: '' });
    expect(cells['notes']).toMatch(/Size is M.*EUR/);
  });

  it.each([
    [{ ...DOG, sex: undefined }, 'it has no sex'],
    [{ ...DOG, breeds: undefined, species: 'dragon' }, 'it has no breed, it has no type'],
  ])('does not get %j', (profile, leftOut) => {
    expect(written(PETFINDER, animal(profile))).toEqual({ leftOut });
  });

  it('gets its own names of breeds and colors', () => {
    const names = new Map([['poodle', 'Poodle (Standard)']]);
    expect(written(PETFINDER, animal(DOG), { ...OPTIONS, names })['PrimaryBreed']).toBe('Poodle (Standard)');
  });
});

describe('adoptapet', () => {
  it('gets 32 columns, and a map file that names them', () => {
    const profile: Profile = {
      ...{ ...DOG, species: 'Cat', size: 'small', coat: 'long', mixedBreed: false, bornOn: '2026-01-01' },
      ...{ description: 'a & <b>\nc', goodWith: { dogs: false }, vaccinated: true },
      adoptionFee: { amount: '99.5', currency: 'USD' },
    };
    expect(written(ADOPTAPET, animal(profile))).toMatchObject({
      ...{
        Id: '42',
        Animal: 'Cat',
        Purebred: '1',
        Age: 'Baby',
        Size: 'S',
        Sex: 'F',
        GoodWDogs: '0',
        GoodWCats: '',
      },
      ...{
        Description: 'a &amp; &lt;b&gt;<br>c',
        Status: 'Available',
        SpayedNeutered: '0',
        ShotsCurrent: '1',
      },
      ...{ Housetrained: '', HairLength: 'Long', Birthdate: '01/01/2026', AdoptionFee: '100', Declawed: '0' },
    });
    const { columns, companion } = ADOPTAPET.writing;
    expect(columns).toHaveLength(32);
    expect(companion?.content.split('\n')[31]).toBe('#32:SpecialDietaryNeeds=SpecialDietaryNeeds');
  });

  it.each([
    ['goat', 'Farm Animal', '', ''],
    ['Guinea Pig', 'Small Animal', '', 'Short'],
    ['rabbit', 'Rabbit', '', 'Short'],
    ['Scales, Fins & Other', 'Reptile', '', ''],
    ['puppy', 'Dog', 'L', ''],
  ])('has %s as %s', (species, type, size, hair) => {
    const cells = written(
      ADOPTAPET,
      animal({ ...DOG, species, size: 'large', coat: 'short', mixedBreed: true }),
    );
    expect(cells).toMatchObject({ Animal: type, Size: size, HairLength: hair, Purebred: '0' });
  });
});

describe('rescuegroups', () => {
  it('gets 33 columns, names that are cut and no reference that is too long', () => {
    const one = {
      ...animal({ ...DOG, reference: 'x'.repeat(26), goodWith: { cats: true }, size: 'xlarge' }),
      name: 'é'.repeat(60),
    };
    const cells = written(RESCUEGROUPS, one);
    expect(RESCUEGROUPS.writing.columns).toHaveLength(33);
    expect(cells).toMatchObject({
      ...{
        externalID: '42',
        rescueID: '',
        name: 'é'.repeat(50),
        type: 'Dog',
        sex: 'Female',
        okwithcats: 'Yes',
      },
      ...{ okwithdogs: '', size: 'X-Large', mix: '' },
    });
    expect(cells['shortened']).toMatch(/rescueID.*name/);
  });

  it.each([
    [{ species: 'dog' }, undefined],
    [{ species: 'cat' }, 'it has no breed'],
    [{ breeds: ['x'] }, 'it has no type'],
  ])('of %j leaves out: %s', (profile, leftOut) => {
    expect(written(RESCUEGROUPS, animal(profile))['leftOut']).toBe(leftOut);
  });
});

it.each([
  ['2026-06-30', 'Baby', 'Baby'],
  ['2025-12-01', 'Baby', 'Young'],
  ['2025-06-29', 'Young', 'Young'],
  ['2023-06-01', 'Adult', 'Adult'],
  ['2018-06-01', 'Senior', 'Adult'],
  ['2017-06-01', 'Senior', 'Senior'],
])('counts an animal that was born on %s as %s and %s', (bornOn, petfinder, adoptAPet) => {
  const ages = [PETFINDER, ADOPTAPET].map((format) => written(format, animal({ ...DOG, bornOn }))['Age']);
  expect(ages).toEqual([petfinder, adoptAPet]);
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const texts = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((part) => ` x${part.replaceAll(/(?![\u0080-\u009F])\p{Cc}|\|/gu, '')}\u0085 `);
const flags = maybe(fc.boolean());
const lines = fc.array(texts, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('\n'));

it('reads animals of its own format as they were written', async () => {
  const list = maybe(fc.array(texts, { minLength: 1, maxLength: 3 }));
  const photo = fc.record({ url: fc.webUrl({ validSchemes: ['https'] }), description: maybe(texts) });
  const profiles = fc.record({
    ...{
      species: maybe(texts),
      breeds: list,
      colors: list,
      description: maybe(lines),
      location: maybe(texts),
    },
    ...{
      mixedBreed: flags,
      spayedNeutered: flags,
      houseTrained: flags,
      vaccinated: flags,
      specialNeeds: flags,
    },
    ...{
      ageGroup: maybe(fc.constant('baby')),
      bornOn: maybe(fc.constant('2024-05-17')),
      sex: maybe(fc.constant('male')),
    },
    ...{ size: maybe(fc.constant('xlarge')), coat: maybe(fc.constant('wire')), reference: maybe(texts) },
    page: maybe(fc.constant('https://a.example/?a=1&amp;b=|')),
    goodWith: maybe(fc.record({ children: fc.boolean(), dogs: flags, cats: flags })),
    adoptionFee: maybe(fc.constant({ amount: '120.00', currency: 'EUR' })),
    photos: maybe(fc.array(photo, { minLength: 1, maxLength: 4 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, profiles), { minLength: 1, maxLength: 5 }), async (animals) => {
      const { writing } = PETSTORE;
      const rows = animals.map(([name, profile]) => {
        const result = writing.write({ ...animal(profile), name }, OPTIONS);
        return 'leftOut' in result ? [] : rowOf(writing, result.cells);
      });
      const found = await read(PETSTORE, csvText([writing.columns, ...rows]));
      const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
      expect(found.flatMap(({ problems }) => problems)).toEqual([]);
      expect(plain(found.map(({ name, profile }) => [name, profile]))).toEqual(plain(animals));
    }),
    { numRuns: 100 },
  );
});

it('leaves an animal out whose list has the sign that separates values', () => {
  expect(written(PETSTORE, animal({ breeds: ['a|b'] }))['leftOut']).toMatch(/breeds .*use NDJSON/);
});
