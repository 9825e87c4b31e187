import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Call, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders, messageOf } from '../support/contract.js';
import { EventReader, type ToldEvent } from '../support/event-reader.js';
import { serveShared } from '../support/running-service.js';
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

const { client } = await serveShared();
/** Of an animal that is new in each test. */
let pet: string;
let id: number;
let path: string;

const onANewAnimal = async (): Promise<void> => {
  const { headers, text } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  pet = String(headers.location);
  path = `${pet}/profile`;
  ({ id } = JSON.parse(text) as { id: number });
};

function put(path: string, body: unknown, call: Call = {}): Promise<Reply> {
  return client.post(path, body, { method: 'PUT', ...call });
}
const listed = async (query: string): Promise<unknown> =>
  JSON.parse((await client.get(`/v1/pets?ids=${id}${query}`)).text);

describe('GET /v1/pets/{petId}/profile', () => {
  beforeEach(onANewAnimal);

  it('is {} for an animal that nobody has described', async () => {
    const reply = await client.get(path);
    expect(reply).toMatchObject({ status: 200, text: '{}' });
    expect(reply.headers.etag).toMatch(/^"[^"]+"$/);
    expect(reply.headers['deprecation']).toBeUndefined();
    expectLimitHeaders(reply);
  });
});

describe('PUT /v1/pets/{petId}/profile', () => {
  beforeEach(onANewAnimal);
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

  it('has a tag that is not that of the animal, and with which a first profile alone is written', async () => {
    const { headers: empty } = await client.get(path);
    const { headers: animal } = await client.get(pet);
    const ifMatch = (tag: string | undefined): Call => ({ headers: { 'If-Match': tag ?? '' } });
    expectError(await put(path, PROFILE, ifMatch(animal.etag)), 'precondition_failed');
    expect((await put(path, PROFILE, ifMatch(empty.etag))).status).toBe(200);
    expectError(await put(path, { sex: 'male' }, ifMatch(empty.etag)), 'precondition_failed');
    expect((await client.get(pet)).headers.etag).toBe(animal.etag);
    await put(path, {});
    expect((await client.get(path)).headers.etag).toBe(empty.etag);
  });

  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  // All that a member may be: libs/pet-domain/src/pet-profile.spec.ts.
  it.each([
    [{ photos: [{ url: 'https://a.example' }, { url: 7 }] }, 'photos[1].url must be '],
    [{ sex: 'x', species: ' ' }, 'species must be a string'],
  ])('refuses %j, and says where it is wrong before it looks for the animal', async (body, expected) => {
    for (const each of [path, '/v1/pets/0/profile']) {
      const reply = await put(each, body);
      expectError(reply, 'validation_failed');
      expect(messageOf(reply).startsWith(expected)).toBe(true);
    }
    expect((await client.get(path)).text).toBe('{}');
  });

  it('takes a day that is tomorrow', async () => {
    const body = { bornOn: day(1) };
    expect(await put(path, body)).toMatchObject({ status: 200, text: JSON.stringify(body) });
  });
});

describe('GET /v1/pets?include=profile', () => {
  beforeEach(onANewAnimal);
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
    expect(next).toMatch(/status=available&cursor=\w+&include=profile$/);
    const second = await client.get(String(next));
    expect(second.headers['link']).toContain(
      '</v1/pets?limit=1&status=available&include=profile>; rel="first"',
    );
    expect((await client.get(String(next).replace('&include=profile', ''))).status).toBe(200);
  });
});
