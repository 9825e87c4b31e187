import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Call, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { EventReader, type ToldEvent } from '../support/event-reader.js';
import { runService } from '../support/running-service.js';
import { until } from '../support/until.js';

const PROFILE = {
  species: 'dog',
  breeds: ['Labrador Retriever', 'Poodle'],
  bornOn: '2024-02-29',
  description: 'Likes "water",\nand\\or 🐕.',
  goodWith: { children: true, cats: false },
  adoptionFee: { amount: '120.0', currency: 'EUR' },
  photos: [
    { url: 'https://a.example/1.jpg', description: 'On the sofa' },
    { url: 'https://a.example/2.jpg' },
  ],
};
const EMPTY_TAG = /^"[^"]+"$/;

const running = await runService();
afterAll(() => running.close());
const client = await running.client();
/** Of an animal that is new in each test. */
let pet: string;
let id: number;
let path: string;

beforeEach(async () => {
  const { headers, text } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  pet = String(headers.location);
  path = `${pet}/profile`;
  ({ id } = JSON.parse(text) as { id: number });
});

function put(path: string, body: unknown, call: Call = {}): Promise<Reply> {
  return client.post(path, body, { method: 'PUT', ...call });
}
const message = ({ text }: Reply): string => (JSON.parse(text) as { message: string }).message;
const listed = async (query: string): Promise<unknown> =>
  JSON.parse((await client.get(`/v1/pets?ids=${id}${query}`)).text);

describe('GET /v1/pets/{petId}/profile', () => {
  it('is {} for an animal that nobody has described', async () => {
    const reply = await client.get(path);
    expect(reply).toMatchObject({ status: 200, text: '{}' });
    expect(reply.headers.etag).toMatch(EMPTY_TAG);
    expect(reply.headers['deprecation']).toBeUndefined();
    expectLimitHeaders(reply);
  });

  it.each(['/v1/pets/999999999/profile', '/v1/pets/01/profile', '/v1/pets/x/profile'])(
    'is 404 at %s',
    async (path) => {
      expectError(await client.get(path), 'pet_not_found');
      expectError(await put(path, {}), 'pet_not_found');
    },
  );

  it('is all that the path has beside PUT', async () => {
    const reply = await client.delete(path);
    expectError(reply, 'method_not_allowed');
    expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS, PUT');
  });
});

describe('PUT /v1/pets/{petId}/profile', () => {
  it('replaces the whole profile, in the declared order', async () => {
    await put(path, { sex: 'female', coat: 'curly' });
    const others: [string, unknown][] = [
      ['id', 1],
      ['other', [null]],
    ];
    const mixed = Object.fromEntries([...others, ...Object.entries(PROFILE).reverse()]);
    const reply = await put(path, mixed);
    expect(reply).toMatchObject({ status: 200, text: JSON.stringify(PROFILE) });
    expect(await client.get(path)).toMatchObject({ text: reply.text, headers: { etag: reply.headers.etag } });
  });

  it('is an event behind those of the animal, once for each change', async () => {
    const first = await put(path, PROFILE);
    const again = await put(path, PROFILE);
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { etag: first.headers.etag } });
    await client.patch(pet, { name: 'Max' });
    await put(path, {});
    await put(path, {});
    await client.delete(pet);
    const reader = new EventReader(client);
    const ofPet = (): ToldEvent[] => reader.events.filter(({ data }) => data.pet.id === String(id));
    await until(async () => {
      await reader.follow();
      return ofPet().at(-1)?.type === 'pet.deleted';
    });
    const animal = { id: String(id), name: 'Rex', categoryId: '7', status: 'available' };
    const renamed = { ...animal, name: 'Max' };
    expect(ofPet().map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'pet.created', data: { pet: animal } },
      { type: 'pet.profile_updated', data: { pet: animal, profile: PROFILE } },
      { type: 'pet.updated', data: { pet: renamed, previous: { name: 'Rex' } } },
      { type: 'pet.profile_updated', data: { pet: renamed, profile: {} } },
      { type: 'pet.deleted', data: { pet: renamed } },
    ]);
    expectError(await client.get(path), 'pet_not_found');
  });

  it('takes preconditions on the tag of the profile, which is not that of the animal', async () => {
    const { headers: empty } = await client.get(path);
    const { headers: animal } = await client.get(pet);
    const ifMatch = (tag: string | undefined): Call => ({ headers: { 'If-Match': tag ?? '' } });
    expectError(await put(path, PROFILE, ifMatch(animal.etag)), 'precondition_failed');
    const first = await put(path, PROFILE, ifMatch(empty.etag));
    expect(first.status).toBe(200);
    const late = await put(path, { sex: 'male' }, ifMatch(empty.etag));
    expectError(late, 'precondition_failed');
    expect(late.headers.etag).toBe(first.headers.etag);
    // An animal always has a profile.
    const onlyNew = { headers: { 'If-None-Match': '*' } };
    expectError(await put(path, {}, onlyNew), 'precondition_failed');
    expectError(await put('/v1/pets/999999999/profile', {}, ifMatch('*')), 'pet_not_found');
    expect((await client.get(pet)).headers.etag).toBe(animal.etag);
    const known = await client.get(path, { headers: { 'If-None-Match': String(first.headers.etag) } });
    expect(known.status).toBe(304);
    await put(path, {});
    expect((await client.get(path)).headers.etag).toBe(empty.etag);
  });

  it('takes JSON alone', async () => {
    const patch = { headers: { 'Content-Type': 'application/merge-patch+json' } };
    expectError(await put(path, '{}', patch), 'unsupported_media_type');
  });

  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const photos = (url: unknown): string =>
    JSON.stringify({ photos: [{ url: 'https://a.example' }, { url }] });
  it.each([
    ['{"mixedBreed":"true"}', 'mixedBreed must be true or false'],
    ['{"breeds":[]}', 'breeds must be an array of 1 to 3'],
    ['{"goodWith":{}}', 'goodWith needs at least one of children, dogs, cats'],
    ['{"goodWith":{"dogs":null}}', 'goodWith.dogs must be true or false'],
    ['{"bornOn":"2021-02-30"}', 'bornOn must be a day that exists'],
    [`{"bornOn":"${day(3)}"}`, 'bornOn must be a day that exists'],
    [`{"bornOn":"${day(400)}","photos":[]}`, 'bornOn must be a day that exists'],
    ...['"1e3"', '".5"', '"-1"', '"007"', '120'].map((amount): [string, string] => [
      `{"adoptionFee":{"amount":${amount},"currency":"EUR"}}`,
      'adoptionFee.amount must be a string',
    ]),
    ['{"adoptionFee":{"amount":"1"}}', 'adoptionFee.currency is missing'],
    ['{"description":"a\\r\\nb"}', 'description must not hold a carriage return'],
    ...[
      ...[
        'https://user:pw@a.example/',
        'https://a.example/a b',
        'https://a.example/|',
        'javascript:alert(1)',
      ],
      ...[
        'HTTPS://a.example/',
        'https://bücher.example/',
        `https://a.example/${'x'.repeat(2_049 - 18)}`,
        7,
        null,
      ],
    ].map((url): [string, string] => [photos(url), 'photos[1].url must be ']),
    [photos('https://a.example'), 'photos[1].url must differ from photos[0].url'],
    ['{"photos":[{"description":"x"}]}', 'photos[0].url is missing'],
    ['{"sex":"x","species":" "}', 'species must be a string'],
  ])('refuses %#', async (body, expected) => {
    const reply = await put(path, body);
    expectError(reply, 'validation_failed');
    expect(message(reply).startsWith(expected)).toBe(true);
    // What is wrong is said before the animal is looked for.
    expectError(await put('/v1/pets/0/profile', body), 'validation_failed');
    expect((await client.get(path)).text).toBe('{}');
  });

  it.each([
    '{"sex":"male","sex":"female"}',
    '{"photos":[{"url":"https://a.example","url":"https://b.example"}]}',
  ])('refuses a member that is named twice: %s', async (body) => {
    expectError(await put(path, body), 'invalid_json');
  });

  it('takes a day that is tomorrow', async () => {
    const body = { bornOn: day(1) };
    expect(await put(path, body)).toMatchObject({ status: 200, text: JSON.stringify(body) });
  });
});

describe('GET /v1/pets?include=profile', () => {
  it('gives each animal that is described its profile, as its last member', async () => {
    await put(path, PROFILE);
    const animal = { id, name: 'Rex', categoryId: 7, status: 'available' };
    expect(await listed('&include=profile')).toEqual([{ ...animal, profile: PROFILE }]);
    expect(await listed('')).toEqual([animal]);
    const plain = await client.post('/v1/pets', { name: 'Mia', categoryId: 7 });
    const two = `[${plain.text},${JSON.stringify({ ...animal, profile: PROFILE })}]`;
    for (const query of ['', '&status=available', '&categoryId=7', '&categoryId=7&status=available'])
      expect((await client.get(`/v1/pets?limit=2&include=profile${query}`)).text).toBe(two);
  });

  it('is kept in the links to other pages, and not bound by their cursor', async () => {
    const { headers } = await client.get('/v1/pets?limit=1&include=profile&status=available');
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
    expect(next).toContain('status=available&include=profile&cursor=');
    const second = await client.get(String(next));
    expect(second.headers['link']).toContain(
      '</v1/pets?limit=1&status=available&include=profile>; rel="first"',
    );
    expect((await client.get(String(next).replace('&include=profile', ''))).status).toBe(200);
  });

  it.each(['', 'Profile', 'profile,profile', 'profile,', 'photos', '["profile"]'])(
    'is refused as %j',
    async (names) => {
      expectError(await client.get(`/v1/pets?include=${encodeURIComponent(names)}`), 'invalid_parameter');
    },
  );

  it('is given once, and means nothing elsewhere', async () => {
    expectError(await client.get('/v1/pets?include=profile&include=profile'), 'invalid_parameter');
    expect((await client.get(`${pet}?include=x`)).status).toBe(200);
  });
});
