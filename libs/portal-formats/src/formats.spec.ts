import { describe, expect, it } from '@jest/globals';
import { ASM3, PETFINDER, PETSTORE, type ReadFormat, RESCUEGROUPS } from './index.js';
import { one, problemsOf, read } from './testing/read-file.js';

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
      hasNumber: true,
      name: 'Rex',
      status: 'available',
      photosLeftOut: 1,
      shortened: 0,
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
    expect((await one(PETFINDER, 'ID,AnimalName,Desc\n7, ,\n')).profile).toEqual({});
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
    const cells =
      '"1","A5","Available","1.0","","Rex","","Dog","Poodle","Poodle","","Male","No","Yes","No","","","","Adult","1","Yes",' +
      '"XL","Yes","Black","Short","","","Hi"';
    const last = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    const rows = [last('https://a.example/X.jpg","","","'), last('","","","'), last('X.jpg","","","')];
    const records = await read(RESCUEGROUPS, header + rows.map((cell) => `${cells},${cell}\n`).join(''));
    expect(records.map(({ profile, photosLeftOut }) => [profile.photos?.length, photosLeftOut])).toEqual([
      [1, 0],
      [undefined, 0],
      [undefined, 1],
    ]);
    expect(records[0]).toMatchObject({
      reference: 'A5',
      problems: [],
      profile: { species: 'Dog', specialNeeds: true, goodWith: { dogs: true, cats: false } },
    });
  });
});

it('names unknown columns, and none that belong to the format', async () => {
  const ignoredOf = async (format: ReadFormat, header: string): Promise<readonly string[]> => {
    let ignored: readonly string[] = [];
    await read(format, `${header},Extra\n`, { ignored: (columns) => (ignored = columns) });
    return ignored;
  };
  expect(await ignoredOf(PETFINDER, PETFINDER.writing.columns.join())).toEqual(['Extra']);
  expect(await ignoredOf(RESCUEGROUPS, RESCUEGROUPS.writing.columns.join())).toEqual(['Extra']);
  const asm3 =
    'ANIMALID,ANIMALCODE,ANIMALLITTER,ANIMALNAME,ANIMALSEX,ANIMALTYPE,ANIMALWEIGHT,ANIMALWARNING,ANIMALHIDDENDETAILS,' +
    'ANIMALNEUTERED,ANIMALNEUTEREDDATE,ANIMALMICROCHIP,ANIMALMICROCHIPDATE,ANIMALENTRYDATE,ANIMALDECEASEDDATE,' +
    'ANIMALDECEASEDREASON,ANIMALENTRYCATEGORY,ANIMALTRANSFER,ANIMALPDFNAME,COSTDATE,ORIGINALOWNERADDRESS,PERSONNAME';
  expect(await ignoredOf(ASM3, asm3)).toEqual(['Extra']);
});

it('reads texts of its own format as they are, lists and flags', async () => {
  const head = 'Name,CATEGORYID,status,breeds,vaccinated,description,photos,photodescriptions\n';
  const text = `${head}&lt;b&gt;,7,sold,a|b,TRUE,"a<br>\r\nb",https://a.example|https://b.example,|x\n`;
  expect(await one(PETSTORE, text)).toMatchObject({
    ...{ name: '&lt;b&gt;', categoryId: '7', status: 'sold', problems: [] },
    profile: {
      ...{ breeds: ['a', 'b'], vaccinated: true, description: 'a<br>\nb' },
      photos: [{ url: 'https://a.example' }, { url: 'https://b.example', description: 'x' }],
    },
  });
  const wrong = await one(PETSTORE, `${head}Rex,7,,,perhaps,,https://a.example,a|b\n`);
  expect(problemsOf(wrong)).toEqual([
    'vaccinated must be one of true, false, or blank; it is "perhaps"',
    'photoDescriptions must not have more items than photos',
  ]);
});
