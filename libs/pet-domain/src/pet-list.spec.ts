import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INT64_MAX } from './int64.js';
import { PetIdList } from './pet-list.js';

const id = fc.bigInt({ min: 1n, max: BigInt(INT64_MAX) }).map(String);
const upTo = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n + 1));

describe('PetIdList', () => {
  it.each([
    ['42', ['42']],
    ['42,17', ['42', '17']],
    [`1,${INT64_MAX}`, ['1', INT64_MAX]],
    ['7,7,42,7', ['7', '42']],
  ])('reads %s', (text, ids) => {
    expect(PetIdList.parse(text)).toEqual(ids);
  });

  it.each([
    ...[
      '',
      ',',
      '1,',
      ',1',
      '1,,2',
      '1, 2',
      ' 1',
      '1 ',
      '1;2',
      '1.0',
      '1e3',
      '+1',
      '-1',
      '0',
      '1,0',
      '01',
      '1,02',
    ],
    ...['a', '١', '1\n', '1,2\0', '[1,2]', '"1"', '9223372036854775808', `1,${'9'.repeat(20)}`],
  ])('refuses %j', (text) => {
    expect(PetIdList.parse(text)).toBeUndefined();
  });

  it('reads 100 different ids, however often each is repeated, and no more', () => {
    const hundred = upTo(100);
    expect(PetIdList.parse(hundred.join(','))).toEqual(hundred);
    expect(PetIdList.parse([...hundred, ...hundred, '1'].join(','))).toEqual(hundred);
    expect(PetIdList.parse(upTo(101).join(','))).toBeUndefined();
  });

  it('reads the longest ids twice over, and refuses a text that is longer than it may be', () => {
    const longest = upTo(100).map((n) => String(BigInt(INT64_MAX) - BigInt(n)));
    expect(PetIdList.parse([...longest, ...longest].join(','))).toEqual(longest);
    const most = '1,'.repeat((PetIdList.MAX_LENGTH - 2) / 2);
    expect(PetIdList.parse(`${most}12`)).toEqual(['1', '12']);
    expect(PetIdList.parse(`${most}123`)).toBeUndefined();
  });

  it('reads every list of ids as its different ids', () => {
    fc.assert(
      fc.property(fc.array(id, { minLength: 1, maxLength: 100 }), (ids) => {
        expect(PetIdList.parse(ids.join(','))).toEqual([...new Set(ids)]);
      }),
    );
  });

  it('reads nothing that is not the digits of ids and commas', () => {
    const character = fc.constantFrom(...Array.from('0123456789,,, +-.eE%'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: character })), (text) => {
        const ids = PetIdList.parse(text);
        if (ids === undefined) return;
        expect(ids.every((each) => BigInt(each).toString() === each)).toBe(true);
        expect([...new Set(text.split(','))]).toEqual(ids);
      }),
    );
  });
});
