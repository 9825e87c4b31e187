import { describe, expect, it } from '@jest/globals';
import { ASM3 } from './index.js';
import { one, read } from './testing/read-file.js';

const HEAD =
  'ANIMALCODE,ANIMALNAME,ANIMALSPECIES,ANIMALBREED1,ANIMALSEX,ANIMALNEUTERED,ANIMALGOODWITHCATS,ANIMALGOODWITHDOGS,' +
  'ANIMALGOODWITHKIDS,ANIMALIMAGE,PERSONNAME,ANIMALHIDDENDETAILS,ANIMALMICROCHIP,ANIMALLOCATION\n';

it('joins rows of one animal, and reads nothing about people', async () => {
  const text =
    `${HEAD}A1,Rex,Dog,Dog\`s,Male,Y,0,1,5,"data:image/jpeg;base64,xx",Mr Smith,bites,9851,Pen 4\n` +
    'A1,Rex,,,,,,,,https://a.example/1.jpg\nA1,Rex,,,,,,,,https://a.example/2.jpg\nA2,Mia,Cat,,Unknown,0,Y,U,12\n';
  const records = await read(ASM3, text);
  expect(records).toMatchObject([
    {
      line: 2,
      photosLeftOut: 1,
      profile: {
        breeds: ["Dog's"],
        goodWith: { cats: true, dogs: false },
        photos: [{ url: 'https://a.example/1.jpg' }, { url: 'https://a.example/2.jpg' }],
      },
    },
    { line: 5, profile: { spayedNeutered: false, goodWith: { cats: true } } },
  ]);
  expect(JSON.stringify(records)).not.toMatch(/Smith|bites|9851|Pen/);
});

it('takes records of many megabytes', async () => {
  const text = `${HEAD}A1,Rex,Dog,,,,,,,"data:${'x'.repeat(10_000_000)}"\n`;
  const [record] = await read(ASM3, text, {}, 65_536);
  expect(record).toMatchObject({ reference: 'A1', photosLeftOut: 1 });
});

it.each([
  ['ANIMALNONSHELTER,MOVEMENTTYPE', ',', 'available'],
  ['MOVEMENTTYPE,ANIMALNOTFORADOPTION', ',1', 'gone'],
  ['MOVEMENTTYPE,ANIMALNOTFORADOPTION', ',No', 'available'],
  ['MOVEMENTTYPE,ANIMALNONSHELTER', ',Yes', 'gone'],
  ['MOVEMENTTYPE,ANIMALDECEASEDDATE', ',03/04/2024', 'gone'],
  ['MOVEMENTTYPE,ANIMALTRANSFER', ',1', 'available'],
  ['MOVEMENTTYPE', 'Adoption', 'sold'],
  ['MOVEMENTTYPE', 'Transfer', 'gone'],
  ['MOVEMENTTYPE', 'Foster', 'available'],
  ['MOVEMENTTYPE', 'Reservation', 'pending'],
  ['MOVEMENTTYPE', 'TNR', 'gone'],
  ['MOVEMENTTYPE', '0', 'available'],
  ['MOVEMENTTYPE', '2', 'available'],
  ['MOVEMENTTYPE', '3', 'gone'],
  ['MOVEMENTTYPE', '1', 'sold'],
  ['MOVEMENTTYPE', '11', 'pending'],
  ['MOVEMENTTYPE', 'Vermittlung', 'sold'],
  ['MOVEMENTTYPE', 'Dočasná péče', 'available'],
  ['MOVEMENTTYPE', 'Somewhere else', undefined],
])('%s %s is %s', async (columns, cells, status) => {
  const record = await one(ASM3, `ANIMALCODE,${columns}\nA1,${cells}\n`);
  expect([record.status, record.problems]).toEqual([status, []]);
});

// As src/asm3/csvimport.py writes it: Python's None for what is not there, numbers for flags, names for answers.
it.each([
  ['Unknown', 'Yes', 'No', 'Female'],
  ['Nieznany/a', 'Tak', 'Nie', 'Samica'],
  ['Neznámé', 'Ano', 'Ne', 'Samice'],
  ['Nije poznato', 'Da', 'Ne', 'Ženka'],
  ['Nežinoma', 'Taip', 'Ne', 'Patelė'],
  ['Unbekannt', 'Ja', 'Nein', 'Weiblich'],
  ['Άγνωστο', 'Ναί', 'Όχι', 'Θηλυκό'],
  ['Selective', '0', '1', 'F'],
  ['Nobody knows', 'YES', 'no', 'FEMALE'],
  ['None', 'Sí', 'Não'.normalize('NFD'), 'Fêmea'.normalize('NFD')],
])('reads its own export with %j for unknown', async (unknown, yes, no, female) => {
  const header =
    'ANIMALCODE,ANIMALNAME,ANIMALSEX,ANIMALCOLOR,ANIMALBREED1,ANIMALBREED2,ANIMALSPECIES,ANIMALDESCRIPTION,ANIMALNEUTERED,' +
    'ANIMALGOODWITHCATS,ANIMALGOODWITHDOGS,ANIMALGOODWITHKIDS,ANIMALHOUSETRAINED,MOVEMENTTYPE\n';
  const rows =
    `"A1","None","${female}","None","Poodle","None","Dog","None","1","${yes}","${no}","${unknown}","${unknown}","None"\n` +
    `"A2","Mia","${unknown}","Black","Poodle","poodle","Dog","x","0","${unknown}","${unknown}","${unknown}","${no}","2"\n` +
    `"A3","Bo","${unknown}","Black","Poodle","Beagle","Dog","x","None","","","Over 5","12","1"\n`;
  const records = await read(ASM3, header + rows);
  const poodle = { species: 'Dog', breeds: ['Poodle'] };
  const mia = { ...poodle, colors: ['Black'], description: 'x', spayedNeutered: false, houseTrained: false };
  const bo = {
    species: 'Dog',
    breeds: ['Poodle', 'Beagle'],
    mixedBreed: true,
    colors: ['Black'],
    description: 'x',
  };
  expect(records.map(({ name, status, profile, problems }) => [name, status, profile, problems])).toEqual([
    [
      'None',
      'available',
      { ...poodle, sex: 'female', spayedNeutered: true, goodWith: { cats: true, dogs: false } },
      [],
    ],
    ['Mia', 'available', mia, []],
    ['Bo', 'sold', bo, []],
  ]);
});

it.each([
  ['ANIMALSIZE', '0', { size: 'xlarge' }],
  ['ANIMALSIZE', 'Sehr groß', { size: 'xlarge' }],
  ['ANIMALSIZE', 'Очень большой', { size: 'xlarge' }],
  ['ANIMALSIZE', 'Tiny', {}],
  ['ANIMALCOATTYPE', 'Rough', { coat: 'wire' }],
  ['ANIMALCOATTYPE', 'Sans poils', { coat: 'hairless' }],
  ['ANIMALCOATTYPE', 'Corded', {}],
  ['ANIMALAGE', '4 months', {}],
  ['ANIMALAGE', '4', { ageGroup: 'adult' }],
  ['ANIMALNEUTERED', 'maybe', {}],
])('has %s %s as %j', async (column, cell, profile) => {
  expect((await one(ASM3, `ANIMALCODE,${column}\nA1,${cell}\n`)).profile).toEqual(profile);
});

describe('its service method csv_adoptable_animals', () => {
  // Some of its 400 columns.
  const ROW = `
    ACTIVEMOVEMENTTYPE=0
    ANIMALAGE=2 years.
    ANIMALCOMMENTS=for us
    ANIMALNAME=Rex ''T''
    BASECOLOURNAME=Black
    BREEDNAME=Poodle
    BREEDNAME1=Poodle
    BREEDNAME2=Poodle
    COATTYPENAME=Kurz
    CROSSBREED=0
    DATEOFBIRTH=2024-04-03
    DECEASEDDATE=None
    HASACTIVERESERVE=0
    HASSPECIALNEEDS=0
    HASTRIALADOPTION=0
    HIDDENANIMALDETAILS=bites
    ISCOURTESY=0
    ISGOODWITHCATS=0
    ISGOODWITHCHILDREN=5
    ISGOODWITHDOGS=1
    ISHOUSETRAINED=2
    ISNOTAVAILABLEFORADOPTION=0
    NEUTERED=1
    NONSHELTERANIMAL=0
    ORIGINALOWNERNAME=Smith
    PHOTOURLS=['https://a.example/service?mediaid=1&ts=2', 'https://a.example/service?mediaid=3&ts=4']
    SEX=1
    SEXNAME=Männlich
    SHELTERCODE=A1
    SIZE=1
    SIZENAME=Groß
    SPECIESNAME=Dog
    WEBSITEMEDIANOTES=He says ''hi''<br>to all`;
  const CELLS = ROW.trim()
    .split(/\n\s+/)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  /** It ends without a line end. */
  const fileOf = (others: Readonly<Record<string, string>> = {}): string =>
    `\ufeff${CELLS.map(([name]) => `"${name}"`).join()}\n${CELLS.map(([name, cell]) => `"${others[name] ?? cell}"`).join()}`;

  it('is read without what is about people', async () => {
    let ignored: readonly string[] = [];
    const record = await one(ASM3, fileOf(), { ignored: (columns) => (ignored = columns) });
    expect(ignored).toEqual([]);
    expect(record).toMatchObject({
      reference: 'A1',
      name: 'Rex "T"',
      status: 'available',
      problems: [],
      photosLeftOut: 0,
    });
    expect(record.profile).toEqual({
      species: 'Dog',
      breeds: ['Poodle'],
      mixedBreed: false,
      bornOn: '2024-04-03',
      sex: 'male',
      size: 'large',
      coat: 'short',
      colors: ['Black'],
      description: 'He says "hi"\nto all',
      spayedNeutered: true,
      specialNeeds: false,
      goodWith: { cats: true, dogs: false },
      photos: [
        { url: 'https://a.example/service?mediaid=1&ts=2' },
        { url: 'https://a.example/service?mediaid=3&ts=4' },
      ],
    });
  });

  it.each([
    [{ HASACTIVERESERVE: '1' }, 'pending'],
    [{ ACTIVEMOVEMENTTYPE: '1', HASTRIALADOPTION: '1' }, 'pending'],
    [{ ACTIVEMOVEMENTTYPE: '1' }, 'sold'],
    [{ ACTIVEMOVEMENTTYPE: '8' }, 'available'],
    [{ NONSHELTERANIMAL: '1' }, 'gone'],
    [{ NONSHELTERANIMAL: '1', ISCOURTESY: '1' }, 'available'],
    [{ ISNOTAVAILABLEFORADOPTION: '1' }, 'gone'],
    [{ DECEASEDDATE: '03/04/2024' }, 'gone'],
  ])('has %j as %s', async (cells, status) => {
    expect((await one(ASM3, fileOf(cells))).status).toBe(status);
  });
});
