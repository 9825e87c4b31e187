import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ASM3, PETFINDER, PETSTORE, readAnimals, readNames, RESCUEGROUPS } from './index.js';
import { one, pieces, problemsOf, read } from './testing/read-file.js';

describe('a CSV file', () => {
  it('may have a byte order mark, CRLF, short rows, blanks before quotes, and header names in any case', async () => {
    const text =
      '\ufeff id , "ANIMALNAME",type,Extra\r\n1,  "Rex, the ""dog"""  ,Dog \r\n\r\n,,\r\n2,Mia\n3,Ö,Cat,x,y\n';
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
    ['ID,Extra,EXTRA\n', 'line 1: There are two columns Extra.'],
    ['ID;Name\n', 'It has: ID;Name'],
    ['ID\n1\n"2\n3\n', 'line 3: A quotation mark is opened and not closed.'],
    ['ID\n"1"x\n', 'line 2: There is text behind a closing quotation mark'],
    ['ID\n\n1\n \n\n"2\n3\n', 'line 6: A quotation mark is opened and not closed.'],
    ['ID\n1"2\n', 'line 2: There is a quotation mark in a text'],
    [`ID\n${'x'.repeat(1_100_000)}\n`, 'line 2: The record is longer than 1024 KiB'],
    [`ID\n${',""'.repeat(11_000)}\n`, 'line 2: The record has more than 10000 cells.'],
    ['ID\n1\n2\0\n', 'line 3: It has a NUL'],
    ['ID\n"1\n\n\0"\n', 'line 4: It has a NUL'],
    ['ID\rRex\r', 'line 1: It has a carriage return.'],
    [
      Buffer.from('\ufeffID\n1\n', 'utf16le'),
      'line 1: It has a NUL, and so was not written to its end, or is encoded in UTF-16: save it in UTF-8.',
    ],
  ])('cannot be read if it is %#', async (text, message) => {
    await expect(read(PETFINDER, text, {}, 65_536)).rejects.toThrow(message);
  });

  it('is read no further than an unclosed quotation mark takes to be too long', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('ID\n1\n"');
      for (; given < 1_000; given++) yield await Promise.resolve(Buffer.alloc(65_536, 'x\n'));
    }
    const all = async (): Promise<void> => {
      for await (const record of readAnimals(PETFINDER.reading, endless())) expect(record.line).toBe(2);
    };
    await expect(all()).rejects.toThrow('line 3: The record is longer');
    expect(given).toBeLessThan(40);
  });

  it('may have blank cells behind its columns, line breaks in any spelling, and texts that nobody sees', async () => {
    const row = '1,Rex,"a<BR clear=""all"">b</br>c<brx>",\u200b, , \n';
    const [record] = await read(PETFINDER, `ID,AnimalName,Desc,PrimaryBreed\n${row}`);
    expect(record?.profile).toEqual({ description: 'a\nb\nc<brx>' });
    expect(problemsOf(record)).toEqual([]);
  });

  it('has a blank for a line end in a text of one line', async () => {
    const [record] = await read(PETFINDER, 'ID,AnimalName\n1,"Rex\r\nMax<br>Bo&#10;Al\tEd"\n');
    expect(record?.name).toBe('Rex Max Bo Al Ed');
  });

  it.each([
    'https://youtu.be/x',
    'http://m.youtube.com/watch?v=x',
    'https://youtube.com:443/watch?v=x',
    'https://www.youtube-nocookie.com/embed/x',
    'https://player.vimeo.com/video/1',
  ])('has no photo in the address of a video: %s', async (url) => {
    const photo = 'https://notyoutube.com/youtu.be/1.jpg';
    const record = await one(PETFINDER, `ID,photo1,photo2,photo6\n1,${photo},${photo},${url}\n`);
    expect([record.profile.photos, record.photosLeftOut]).toEqual([[{ url: photo }], 0]);
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
    ['&lt;b&gt; &amp;amp; &quot;&apos;&AMP;', '<b> &amp; "\'&'],
    ['caf&eacute; &Uuml;&hellip; &constructor; AT&T &copy x', 'café Ü… &constructor; AT&T &copy x'],
    ['&amp;lt;br&amp;gt; &lt;br&gt;', '&lt;br&gt; <br>'],
    ['<b>x</b> &#228;&#xE4; &#xD800;&#x110000;', '<b>x</b> ää'],
    ['a\u0007b\tc', 'ab c'],
  ])('%j is %j', async (cell, expected) => {
    const { profile } = await one(PETFINDER, `ID,Desc\n1,"${cell.replaceAll('"', '""')}"\n`);
    expect(profile.description).toBe(expected);
  });
});

describe('a cell without quotation marks', () => {
  // U+2028, U+2029, U+202F and U+205F end in the bytes of ( ) / _, and U+00A0 is a byte of many characters.
  const ends = fc.oneof(
    fc.constantFrom('à', 'Š', 'Р', 'נ', 'だ', '🐶', '(', ')', '/', '_', '\uFFFD', '丠', '\u0085'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const blanks = fc.constantFrom('', ' ', '\t', '\u00A0', '\u2028', '\u202F', '\u3000', ' \u205F ');
  const texts = fc
    .tuple(ends, fc.string({ unit: 'grapheme', maxLength: 3 }), ends)
    .map((parts) =>
      parts
        .join('')
        .replaceAll(/[",\p{Cc}<&]/gu, '')
        .trim(),
    )
    .filter((text) => /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text));

  it.each([
    ['petfinder', PETFINDER, 'ID', 'AnimalName'],
    ['rescuegroups', RESCUEGROUPS, 'externalID', 'name'],
    ['asm3', ASM3, 'ANIMALCODE', 'ANIMALNAME'],
    ['petstore', PETSTORE, 'reference', 'name'],
  ])('is the text between its blanks: %s', async (_name, format, key, name) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(texts, texts, blanks, blanks), { minLength: 1, maxLength: 6 }),
        texts,
        fc.integer({ min: 1, max: 40 }),
        async (rows, column, size) => {
          fc.pre(!format.reading.columns.some((known) => known.toLowerCase() === column.toLowerCase()));
          const lines = rows.map(
            ([reference, text, before, behind], at) =>
              `${before}${at}${reference}${behind},${before}${text}${behind},7,x\n`,
          );
          let ignored: readonly string[] = [];
          const header = `${key},\u3000${name}\u00A0,categoryId, ${column}\u2028\n`;
          const records = await read(
            format,
            header + lines.join(''),
            { ignored: (names) => (ignored = names) },
            size,
          );
          expect(records.flatMap(problemsOf)).toEqual([]);
          expect(records.map((record) => [record.reference, record.name])).toEqual(
            rows.map(([reference, text], at) => [`${at}${reference}`, text]),
          );
          expect(ignored.at(-1)).toBe(column);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a file that was cut', () => {
  it.each([
    [PETFINDER, 'ID,AnimalName,Type\n1,Bo,Dog\n2,Bella Nu', 1],
    [PETFINDER, 'ID,AnimalName,Type\n1,Bo,Dog\n2', 1],
    [PETSTORE, 'name,categoryId,status\nBo,7,sold\nBella Nu', 1],
  ])('has no animal in its last record: %#', async (format, text, line) => {
    for (const end of ['', ' ', ' , ', '\n', '\n , ']) {
      const records = await read(format, text + end);
      const isWhole = end.includes('\n') || text.split('\n').at(-1)?.split(',').length === 3;
      const isFull = `${text}${end}`.split('\n').at(-1)?.split(',').length === 3;
      expect([end, records.map(({ isUnread = false }) => isUnread)]).toEqual([
        end,
        [false, !isWhole && !isFull],
      ]);
      if (!isWhole && !isFull) expect(problemsOf(records[line])).toEqual([expect.stringContaining('cut')]);
    }
  });

  it('may end with Ctrl-Z', async () => {
    for (const end of ['\u001A', '\n\u001A\u001A', '\r\n\u001A', '\n\u001A\n', '\r\n\u001A\r\n\u001A'])
      for (const size of [1, 4_096]) {
        const records = await read(PETFINDER, `ID,AnimalName,Sex\n1,Bo\u001Ax,M${end}`, {}, size);
        expect(records).toMatchObject([{ name: 'Box', profile: { sex: 'male' }, problems: [] }]);
      }
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
