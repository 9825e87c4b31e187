import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AnimalRecord, Format, ReadOptions } from './index.js';
import { ASM3, PETFINDER, PETSTORE, readAnimals, readNames, RESCUEGROUPS } from './index.js';

/** The bytes in pieces of a size, as a file might give them. */
async function* pieces(bytes: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(
  { reading }: Format,
  text: string | Buffer,
  options: ReadOptions = {},
  size = 4_096,
): Promise<AnimalRecord[]> {
  if (reading === undefined) throw new Error('The format is not read.');
  const found: AnimalRecord[] = [];
  for await (const record of readAnimals(reading, pieces(Buffer.from(text), size), options))
    found.push(record);
  return found;
}

/** The one animal of a file, without members that are undefined. */
async function one(format: Format, text: string, options?: ReadOptions): Promise<AnimalRecord> {
  const [record] = await read(format, text, options);
  return JSON.parse(JSON.stringify(record)) as AnimalRecord;
}

const problemsOf = (record: AnimalRecord | undefined): string[] =>
  (record?.problems ?? []).map(({ column = '', reason }) => `${column} ${reason}`.trim());

describe('a CSV file', () => {
  it('may have a byte order mark, CRLF, short rows, blanks before quotes, and header names in any case', async () => {
    const text =
      '\ufeff id , "ANIMALNAME",type,Extra\r\n1,  "Rex, the ""dog""",Dog\r\n\r\n,,\r\n2,Mia\n3,Ö,Cat,x,y\n';
    for (const size of [1, 7, 4_096]) {
      let ignored: readonly string[] = [];
      const records = await read(PETFINDER, text, { ignored: (columns) => (ignored = columns) }, size);
      expect(records.map(({ line, name, profile }) => [line, name, profile.species])).toEqual([
        [2, 'Rex, the "dog"', 'Dog'],
        [5, 'Mia', undefined],
        [6, 'Ö', 'Cat'],
      ]);
      expect(ignored).toEqual(['Extra']);
      expect(problemsOf(records[2])).toEqual(['It has 5 fields; the first line names 4 columns.']);
    }
  });

  it.each([
    ['', 'The file is empty'],
    ['Name\n', 'line 1: There is no column ID.'],
    ['ID,id\n', 'line 1: There are two columns ID.'],
    ['ID;Name\n', 'It has: ID;Name'],
    ['ID\n1\n"2\n3\n', 'line 3: A quotation mark is opened and not closed.'],
    ['ID\n"1"x\n', 'line 2: There is text behind a closing quotation mark'],
    ['ID\n1"2\n', 'line 2: There is a quotation mark in a text'],
    [`ID\n${'x'.repeat(1_100_000)}\n`, 'line 2: The record is longer than 1024 KiB'],
    [`ID\n${','.repeat(1_100_000)}\n`, 'line 2: The record is longer than 1024 KiB'],
    ['ID\rRex\r', 'line 1: It has a carriage return.'],
    [Buffer.from('\ufeffID\n1\n', 'utf16le'), 'The file is encoded in UTF-16'],
  ])('cannot be read if it is %#', async (text, message) => {
    await expect(read(PETFINDER, text, {}, 65_536)).rejects.toThrow(message);
  });

  it('is read no further than an unclosed quotation mark takes to be too long', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('ID\n1\n"');
      for (; given < 1_000; given++) yield await Promise.resolve(Buffer.alloc(65_536, 'x\n'));
    }
    const { reading } = PETFINDER;
    if (reading === undefined) throw new Error('The format is read.');
    const all = async (): Promise<void> => {
      for await (const record of readAnimals(reading, endless())) expect(record.line).toBe(2);
    };
    await expect(all()).rejects.toThrow('line 3: The record is longer');
    expect(given).toBeLessThan(40);
  });

  it('says of which column bytes are no UTF-8', async () => {
    const [record] = await read(PETFINDER, Buffer.from('ID,AnimalName\n1,\xe4\n', 'latin1'));
    expect(problemsOf(record)).toEqual(['AnimalName must be encoded in UTF-8']);
  });
});

describe('a text', () => {
  it.each([
    ['a<br>b<BR/>c<br />d< br >e', 'a\nb\nc\nd\ne'],
    ['a&#10;b&#x0A;c&#13;&#0;d', 'a\nb\ncd'],
    ['&lt;b&gt; &amp;amp; &quot;&apos; &nbsp;', '<b> &amp; "\' &nbsp;'],
    ['&amp;lt;br&amp;gt; &lt;br&gt;', '&lt;br&gt; <br>'],
    ['<b>x</b> &#228;&#xE4; &#xD800;&#x110000;', '<b>x</b> ää'],
    ['a\u0007b', 'ab'],
  ])('%j is %j', async (cell, expected) => {
    const { profile } = await one(PETFINDER, `ID,Desc\n1,"${cell.replaceAll('"', '""')}"\n`);
    expect(profile.description).toBe(expected);
  });
});

describe('a day', () => {
  it.each([
    ['2024-04-03', '2024-04-03'],
    ['2024/4/3 10:20:00', '2024-04-03'],
    ['2024-04-03T00:00:00Z', '2024-04-03'],
    ['13/04/2024', '2024-04-13'],
    ['04.13.2024', '2024-04-13'],
    ['04-04-2024', '2024-04-04'],
    ['03/04/2024', undefined],
    ['31/02/2024', undefined],
    ['2024-13-01', undefined],
    ['3/4/24', undefined],
    ['soon', undefined],
  ])('%s is %s', async (cell, expected) => {
    const record = await one(PETFINDER, `ID,birth_date,arrival_date\n1,${cell},03/04/2024\n`);
    expect([record.profile.bornOn, record.problems.length]).toEqual([
      expected,
      expected === undefined ? 1 : 0,
    ]);
  });

  it.each([
    ['mdy', '2024-03-04'],
    ['dmy', '2024-04-03'],
  ] as const)('has the order %s that is said', async (dateOrder, expected) => {
    const text = 'ID,birth_date\n1,03/04/2024\n2,13/04/2024\n';
    const days = (await read(PETFINDER, text, { dateOrder })).map(({ profile }) => profile.bornOn);
    expect(days).toEqual([expected, '2024-04-13']);
  });
});

describe('petfinder', () => {
  it('is mapped member by member, its No columns inverted, and a blank is unknown', async () => {
    const header =
      'ID,Internal,AnimalName,PrimaryBreed,SecondaryBreed,Sex,Size,Age,Desc,Type,Status,Shots,Altered,NoDogs,NoCats,' +
      'NoKids,Housetrained,specialNeeds,Mix,photo1,photo2,photo6,birth_date,primaryColor,coat_length,adoption_fee\n';
    const row =
      '7,A1,Rex,Poodle,,M,XL,Young,Hi,Dog,A,1,,1,0,,1,,1,https://a.example/1.jpg,7-2.jpg,https://youtu.be/x,2024-04-03,' +
      'Black,Wire,120.00\n';
    expect(await one(PETFINDER, header + row)).toEqual({
      line: 2,
      reference: '7',
      name: 'Rex',
      status: 'available',
      photosLeftOut: 1,
      problems: [],
      profile: {
        ...{ species: 'Dog', breeds: ['Poodle'], mixedBreed: true, ageGroup: 'young', bornOn: '2024-04-03' },
        ...{ sex: 'male', size: 'xlarge', coat: 'wire', colors: ['Black'], description: 'Hi' },
        goodWith: { dogs: false, cats: true },
        ...{ houseTrained: true, vaccinated: true, reference: 'A1' },
        adoptionFee: { amount: '120.00', currency: 'USD' },
        photos: [{ url: 'https://a.example/1.jpg' }],
      },
    });
    expect((await one(PETFINDER, 'ID,AnimalName,Desc\n7, ,\n')).profile).toEqual({ reference: '7' });
  });

  it.each([
    ['A', 'available'],
    ['h', 'pending'],
    ['P', 'pending'],
    ['X', 'sold'],
    ['F', 'gone'],
    ['', undefined],
  ])('has the status %j as %j', async (cell, status) => {
    expect((await one(PETFINDER, `ID,Status\n1,${cell}\n`)).status).toBe(status);
  });

  it('refuses words that it does not know, and says which it does', async () => {
    const record = await one(PETFINDER, 'ID,Sex,NoDogs,adoption_fee\n1,x,perhaps,free\n');
    const problems = problemsOf(record);
    expect(problems).toHaveLength(3);
    expect(problems).toContain('adoption_fee must be a number, such as 120.00; it is "free"');
    expect(problems).toContainEqual(
      expect.stringMatching(/^Sex must be one of .*, female, or blank; it is "x"$/),
    );
    expect(problems).toContainEqual(expect.stringMatching(/^NoDogs must be one of/));
  });
});

describe('rescuegroups', () => {
  it('has its columns in any order, and a reference of its own', async () => {
    const text =
      '"name",  "externalID","rescueID","type","okwithdogs","okwithkids","size","mix","dsc"\n"Mia",  "5","R9","Cat","No","","X-Large","Yes","a<br>b"\n';
    expect(await one(RESCUEGROUPS, text)).toMatchObject({
      reference: '5',
      name: 'Mia',
      profile: {
        ...{ species: 'Cat', size: 'xlarge', mixedBreed: true, goodWith: { dogs: false }, reference: 'R9' },
        description: 'a\nb',
      },
    });
  });

  it('is read in the form of ASM3, whose rows are short and end in one cell of four', async () => {
    const header =
      'orgID, animalID, status, lastUpdated, rescueID, name, summary, species, breed, primaryBreed, secondaryBreed, ' +
      'sex, mixed, dogs, cats, kids, declawed, housetrained, age, specialNeeds, altered, size, uptodate, color, ' +
      'coatLength, pattern, courtesy, description, pic1, pic2, pic3, pic4\n';
    const cells = [
      ...[
        '1',
        'A5',
        'Available',
        '1.0',
        '',
        'Rex',
        '',
        'Dog',
        'Poodle',
        'Poodle',
        '',
        'Male',
        'No',
        'Yes',
        'No',
        '',
      ],
      ...['', '', 'Adult', '1', 'Yes', 'XL', 'Yes', 'Black', 'Short', '', '', 'Hi'],
    ].map((cell) => `"${cell}"`);
    const last = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    const rows = [last('https://a.example/X.jpg","","","'), last('","","","'), last('X.jpg","","","')];
    const records = await read(
      RESCUEGROUPS,
      header + rows.map((cell) => `${cells.join()},${cell}\n`).join(''),
    );
    expect(records.map(({ profile, photosLeftOut }) => [profile.photos?.length, photosLeftOut])).toEqual([
      [1, 0],
      [undefined, 0],
      [undefined, 1],
    ]);
    expect(records[0]).toMatchObject({
      reference: 'A5',
      problems: [],
      profile: { species: 'Dog', specialNeeds: true, goodWith: { dogs: true, cats: false }, reference: 'A5' },
    });
  });
});

describe('asm3', () => {
  const HEAD =
    'ANIMALCODE,ANIMALNAME,ANIMALSPECIES,ANIMALBREED1,ANIMALSEX,ANIMALNEUTERED,ANIMALGOODWITHCATS,ANIMALGOODWITHDOGS,' +
    'ANIMALGOODWITHKIDS,ANIMALIMAGE,PERSONNAME,ANIMALHIDDENDETAILS,ANIMALMICROCHIP,ANIMALLOCATION\n';

  it('joins rows of one animal, and reads nothing about people', async () => {
    const text =
      `${HEAD}A1,Rex,Dog,Dog\`s,Male,Y,0,1,5,data:image/jpeg;base64,xx,Mr Smith,bites,9851,Pen 4\n` +
      'A1,Rex,,,,,,,,https://a.example/1.jpg\nA1,Rex,,,,,,,,https://a.example/2.jpg\nA2,Mia,Cat,,Unknown,0,Y,U,12\n';
    const records = await read(
      ASM3,
      text.replace('data:image/jpeg;base64,xx', '"data:image/jpeg;base64,xx"'),
    );
    expect(records).toMatchObject([
      {
        line: 2,
        photosLeftOut: 1,
        profile: {
          breeds: ["Dog's"],
          goodWith: { cats: true, dogs: false, children: undefined },
          photos: [{ url: 'https://a.example/1.jpg' }, { url: 'https://a.example/2.jpg' }],
        },
      },
      { line: 5, profile: { sex: undefined, spayedNeutered: false, goodWith: { cats: true } } },
    ]);
    expect(JSON.stringify(records)).not.toMatch(/Smith|bites|9851|Pen/);
  });

  it.each([
    ['', 'available'],
    ['ANIMALNOTFORADOPTION=1', 'gone'],
    ['ANIMALNOTFORADOPTION=No', 'available'],
    ['ANIMALNONSHELTER=Yes', 'gone'],
    ['ANIMALDECEASEDDATE=03/04/2024', 'gone'],
    ['MOVEMENTTYPE=Adoption', 'sold'],
    ['MOVEMENTTYPE=Transfer', 'gone'],
    ['MOVEMENTTYPE=Foster', 'available'],
    ['MOVEMENTTYPE=Reservation', 'pending'],
    ['ANIMALTRANSFER=1', 'available'],
  ])('is with %s %s', async (pair, status) => {
    const [column = '', cell = ''] = pair.split('=');
    const other = column === 'MOVEMENTTYPE' ? 'ANIMALNONSHELTER' : 'MOVEMENTTYPE';
    const record = await one(ASM3, `ANIMALCODE,${other},${column}\nA1,,${cell}\n`);
    expect([record.status, record.problems]).toEqual([status, []]);
  });

  it('takes records of many megabytes', async () => {
    const [record] = await read(
      ASM3,
      `${HEAD}A1,Rex,Dog,,,,,,,"data:${'x'.repeat(10_000_000)}"\n`,
      {},
      65_536,
    );
    expect(record).toMatchObject({ reference: 'A1', photosLeftOut: 1 });
  });
});

describe('petstore', () => {
  it('has texts as they are, lists and flags', async () => {
    const text =
      'Name,CATEGORYID,status,breeds,vaccinated,description,photos,photodescriptions,adoptionFeeAmount\n' +
      '&lt;b&gt;,7,sold,a|b,TRUE,"a<br>\r\nb",https://a.example|https://b.example,|x,1\n';
    expect(await one(PETSTORE, text)).toMatchObject({
      ...{ name: '&lt;b&gt;', categoryId: '7', status: 'sold' },
      problems: [{ column: 'adoptionFeeCurrency' }],
      profile: {
        breeds: ['a', 'b'],
        vaccinated: true,
        description: 'a<br>\nb',
        photos: [{ url: 'https://a.example' }, { url: 'https://b.example', description: 'x' }],
      },
    });
  });
});

describe('names', () => {
  const names = (text: string): Promise<unknown> =>
    readNames(pieces(Buffer.from(text))).then((map) => Object.fromEntries(map));

  it('are read by ours in any case', async () => {
    expect(await names('Theirs,Ours\n"Poodle (Standard)",POODLE\n')).toEqual({ poodle: 'Poodle (Standard)' });
  });

  it.each(['', 'a,b\nx,y\n', 'ours,theirs\nx\n', 'ours,theirs\nx,y\nX,z\n'])(
    'are refused: %j',
    async (text) => {
      await expect(names(text)).rejects.toThrow();
    },
  );
});

it('reads each cell as it was written, however the file is cut', async () => {
  const unit = fc.oneof(
    fc.constantFrom('"', ',', '\n', ' ', 'é', '|', '<'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const text = fc.array(unit, { maxLength: 8 }).map((parts) => `x${parts.join('')}x`.replaceAll('\r', ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 40 }),
      async (texts, size) => {
        const rows = texts.map((each) => `7,"${each.replaceAll('"', '""')}"\n`).join('');
        const records = await read(PETSTORE, `categoryId,name\n${rows}`, {}, size);
        expect(records.map(({ name }) => name)).toEqual(texts);
      },
    ),
    { numRuns: 100 },
  );
});
