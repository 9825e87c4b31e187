import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Day } from './day.js';
import { PetProfile } from './pet-profile.js';

const PAGE = 'https://shelter.example/animals/42?photo=1#top';

/** Every member as documents show it, or with what is harder to write. */
const FULL: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(PetProfile.MEMBERS.map((name) => [name, PetProfile.FIELDS[name].schema.example])),
  colors: ['black', 'black'],
  description: 'Likes "water",\nand\\or 🐕.',
  page: PAGE,
  photos: [
    { url: 'https://a.example/1.jpg', description: 'On the sofa' },
    { url: 'https://a.example/2.jpg' },
  ],
};

/** The same members in another order, with others between them. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shuffled(member)] as const);
  return Object.fromEntries([['id', null], ...members.reverse(), ['other', { species: 1 }]]);
}

const profileOf = (members: unknown): PetProfile => PetProfile.of(members as Record<string, unknown>);

describe('a profile', () => {
  it('is written in the declared order without white space, whatever order it is sent in', () => {
    expect(profileOf(FULL)).toBe(JSON.stringify(FULL));
    expect(profileOf(shuffled(FULL))).toBe(JSON.stringify(FULL));
    expect(Object.keys(JSON.parse(profileOf(FULL)) as object)).toEqual(PetProfile.MEMBERS);
  });

  it('is of those members that are given', () => {
    fc.assert(
      fc.property(fc.subarray(Object.entries(FULL)), (entries) => {
        const members = Object.fromEntries(entries);
        expect(profileOf(members)).toBe(JSON.stringify(members));
        expect(profileOf(JSON.parse(profileOf(members)))).toBe(profileOf(members));
      }),
    );
    expect(profileOf({})).toBe(PetProfile.EMPTY);
  });

  it('has at most 16 KiB as it is written', () => {
    const photos = Array.from({ length: 20 }, (_, n) => ({
      url: `https://a.example/${n}/${'x'.repeat(755)}`,
    }));
    expect(() => profileOf({ photos, description: 'é'.repeat(150) })).not.toThrow();
    expect(() => profileOf({ photos, description: '🐕'.repeat(200) })).toThrow(
      'profile must take at most 16 KiB',
    );
  });
});

describe('a wrong member is refused with its path', () => {
  const url = 'must be an https URL';
  const photo = (url: unknown): object => ({ photos: [{ url: PAGE }, { url }] });

  it.each<[object, string]>([
    ...PetProfile.MEMBERS.map((name): [object, string] => [{ [name]: null }, `${name} must be `]),
    ...PetProfile.MEMBERS.map((name): [object, string] => [{ [name]: 1 }, `${name} must be `]),
    ...['breeds', 'colors', 'photos'].map((name): [object, string] => [
      { [name]: [] },
      `${name} must be an array of 1 to `,
    ]),
    [{ species: ' ' }, 'species must be a string of 1 to 255'],
    [{ breeds: ['a', 'b', 'c', 'd'] }, 'breeds must be an array of 1 to 3'],
    [{ colors: ['black', ''] }, 'colors[1] must be '],
    [{ mixedBreed: 'true' }, 'mixedBreed must be true or false'],
    [{ ageGroup: 'Baby' }, 'ageGroup must be one of baby, young, adult, senior'],
    [{ sex: 'unknown' }, 'sex must be one of female, male'],
    ...[
      '2021-02-30',
      '1899-12-31',
      Day.of(new Date(), 2),
      '2024-2-29',
      '2024-02-29T00:00:00Z',
      '+002024-02-29',
      '2024-13-01',
      '',
    ].map((bornOn): [object, string] => [{ bornOn }, 'bornOn must be a day that exists']),
    [{ description: 'a\r\nb' }, 'description must not hold a carriage return'],
    [{ description: '\n \n' }, 'description must be a string of 1 to 4000'],
    [{ description: 'a\tb' }, 'description must be a string'],
    [{ description: '🐕'.repeat(4_001) }, 'description must be a string'],
    [{ goodWith: {} }, 'goodWith needs at least one of children, dogs, cats'],
    [{ goodWith: { horses: true } }, 'goodWith needs at least one of children, dogs, cats'],
    [{ goodWith: { dogs: null } }, 'goodWith.dogs must be true or false'],
    [{ adoptionFee: { amount: '1' } }, 'adoptionFee.currency is missing'],
    [{ adoptionFee: { currency: 'EUR' } }, 'adoptionFee.amount is missing'],
    ...['1e3', '.5', '5.', '-1', '007', '+1', '1,5', '1234567890', '1.00000', ' 1'].map(
      (amount): [object, string] => [
        { adoptionFee: { amount, currency: 'EUR' } },
        'adoptionFee.amount must be ',
      ],
    ),
    [{ adoptionFee: { amount: '0', currency: 'eur' } }, 'adoptionFee.currency must be '],
    [
      { photos: Array.from({ length: 21 }, (_, n) => ({ url: `${PAGE}${n}` })) },
      'photos must be an array of 1 to 20',
    ],
    [{ photos: [PAGE] }, 'photos[0] must be an object with url, description'],
    [{ photos: [{ description: 'x' }] }, 'photos[0].url is missing'],
    [{ photos: [{ url: PAGE, description: '' }] }, 'photos[0].description must be '],
    [photo(PAGE), 'photos[1].url must differ from photos[0].url'],
    ...[
      ...[
        'http://a.example',
        'HTTPS://a.example',
        'javascript:alert(1)',
        '//a.example',
        'https:a.example',
        'https:///a',
        'https://',
      ],
      ...[
        'https://a.example/ b',
        ' https://a.example',
        'https://user:pass@a.example',
        'https://@a.example',
        'https://a@b?c',
      ],
      ...[
        'https://a.example/|',
        'https://a.example\\b',
        'https://bücher.example',
        'https://a.example/ü',
        'https://a.example/\n',
      ],
      ...[
        'https://[::1',
        'https://a.example:99999',
        'https://?a',
        'https://#a',
        `${PAGE}/${'x'.repeat(2_048)}`,
      ],
    ].map((each): [object, string] => [photo(each), `photos[1].url ${url}`]),
    [{ page: 'https://exa<mple' }, `page ${url}`],
    // The first in declared order, not in that of the body.
    [{ photos: [], sex: 'x', species: 1 }, 'species must be '],
  ])('%#', (members, message) => {
    expect(() => profileOf(members)).toThrow(message);
  });

  it.each([
    'https://xn--bcher-kva.example/%C3%BC?a=[1]&b=%#x',
    'https://127.0.0.1:8443/a@b',
    'https://[2001:db8::1]/a',
    `https://a.example/${'x'.repeat(2_048 - 18)}`,
  ])('and no URL that is right: %#', (page) => {
    expect(profileOf({ page })).toBe(JSON.stringify({ page }));
  });

  it('and no day up to tomorrow', () => {
    for (const bornOn of ['1900-01-01', Day.of(new Date(), 1)])
      expect(profileOf({ bornOn })).toBe(JSON.stringify({ bornOn }));
  });

  it('all of them for who asks', () => {
    const paths: string[] = [];
    const profile = PetProfile.parseJson({ sex: 'x', species: 'dog', photos: [{}, {}] }, (path) => {
      paths.push(path);
    });
    expect([profile, ...paths]).toEqual([undefined, 'sex', 'photos[0].url', 'photos[1].url']);
  });
});

it('a day follows another', () => {
  expect(Day.of(new Date('2026-02-28T23:59:59.999Z'), 1)).toBe('2026-03-01');
});
