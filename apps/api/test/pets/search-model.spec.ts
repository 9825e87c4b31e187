import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Reply } from '../support/client.js';
import { allPages, petsOf } from '../support/listed-pets.js';
import { runService } from '../support/running-service.js';
import { Assistant } from '../mcp/assistant.js';
import { finds, type ModelPet, type ModelSearch } from './search-model.js';

const running = await runService();
afterAll(() => running.close());
const client = await running.client();
const assistant = new Assistant(client);

const CHANGES = 2_000;
const SEARCHES = 300;

const TEXTS = [
  ...['dog', 'DOG', 'Dog  ', 'cat', 'Kater', 'Straße', 'STRASSE', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'a "quoted" one'],
  ...[
    'back\\slash',
    "it's",
    "'; drop table pets",
    '{a,b}',
    'x & y | !z',
    'Voila\u0301',
    'Voilà',
    '犬',
    '\u00A0tab',
  ],
  ...['é'.repeat(255), `${'ﬃ'.repeat(254)}a`, `${'ﬃ'.repeat(254)}b`],
] as const;
const WORDS = [
  'loves',
  'Water',
  'water-proof',
  'gardens',
  "children's",
  'ﬁnds',
  'Straße',
  '犬',
  'a',
  'x'.repeat(300),
];
const ENUMS = {
  sex: ['female', 'male'],
  ageGroup: ['baby', 'young', 'adult', 'senior'],
  size: ['small', 'medium', 'large', 'xlarge'],
  coat: ['short', 'long'],
} as const;
const FLAGS = ['mixedBreed', 'spayedNeutered', 'houseTrained', 'vaccinated', 'specialNeeds'];
const WHOM = ['children', 'dogs', 'cats'];
const STATUSES = ['available', 'pending', 'sold'];

const text = fc.constantFrom(...TEXTS);
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(' '));
const flags = Object.fromEntries(FLAGS.map((name) => [name, fc.boolean()]));
const profile = fc.record(
  {
    species: text,
    breeds: fc.array(text, { minLength: 1, maxLength: 3 }),
    colors: fc.array(text, { minLength: 1, maxLength: 3 }),
    location: text,
    reference: text,
    ...Object.fromEntries(Object.entries(ENUMS).map(([name, all]) => [name, fc.constantFrom(...all)])),
    goodWith: fc
      .record({ children: fc.boolean(), dogs: fc.boolean(), cats: fc.boolean() }, { requiredKeys: [] })
      .filter((animals) => Object.keys(animals).length > 0),
    ...flags,
    description: sentence,
  },
  { requiredKeys: [] },
);
const name = fc.oneof(
  text,
  sentence.filter((each) => each.length <= 255),
);
const pet = fc.record({
  name,
  categoryId: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom(...STATUSES),
});
const someOf = (all: readonly string[]) => fc.subarray([...all], { minLength: 1 });
const search: fc.Arbitrary<ModelSearch> = fc.record(
  {
    status: fc.constantFrom(...STATUSES),
    categoryId: fc.integer({ min: 1, max: 3 }),
    name: sentence.filter((each) => each.length <= 255),
    ...Object.fromEntries(['species', 'breed', 'color', 'location', 'reference'].map((each) => [each, text])),
    ...Object.fromEntries(Object.entries(ENUMS).map(([each, all]) => [each, someOf(all)])),
    goodWith: someOf(WHOM),
    ...flags,
    text: fc.constantFrom(
      'l',
      'love',
      'WATER',
      'water proof',
      'child s',
      'FI',
      'strass',
      'STRASSEN',
      '犬',
      'a',
    ),
  },
  { requiredKeys: [] },
);
/** Most of the generated parameters are left out: all together find nothing. */
const narrow = fc
  .tuple(search, fc.integer({ min: 1, max: 3 }), fc.infiniteStream(fc.nat()))
  .map(([all, count, order]) => {
    const entries = Object.entries(all).map((entry) => [order.next().value as number, entry] as const);
    return Object.fromEntries(
      entries
        .sort(([one], [other]) => one - other)
        .slice(0, count)
        .map(([, entry]) => entry),
    );
  });

function queryOf(wanted: ModelSearch): string {
  return Object.entries(wanted)
    .map(([each, value]) => `${each}=${encodeURIComponent(String(value))}`)
    .join('&');
}

async function putProfile(id: number | bigint | string, described: object): Promise<void> {
  const reply = await client.post(`/v1/pets/${id}/profile`, described, { method: 'PUT' });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
}

function idOf(reply: Reply): number {
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return (JSON.parse(reply.text) as { id: number }).id;
}

const model = new Map<number, ModelPet>();
let onces = 0;
/** Animals that a change is about just now. */
const busy = new Set<number>();

/** Lets a change have an animal for itself, if there is one. */
async function withPet(at: number, change: (id: number, pet: ModelPet) => Promise<unknown>): Promise<void> {
  const free = [...model].filter(([each]) => !busy.has(each));
  const chosen = free[at % Math.max(1, free.length)];
  if (chosen === undefined) return;
  busy.add(chosen[0]);
  await change(...chosen);
  busy.delete(chosen[0]);
}

/** Each way in which an animal changes. */
const WAYS: Readonly<Record<string, (wanted: ModelPet, at: number) => Promise<void>>> = {
  async create({ profile: described, ...wanted }) {
    // At once: they share a statement.
    const replies = await Promise.all([client.post('/v1/pets', wanted), client.post('/v1/pets', wanted)]);
    for (const reply of replies) {
      const id = idOf(reply);
      await putProfile(id, described);
      model.set(id, { ...wanted, profile: described });
    }
  },
  async createOnce({ profile: _described, ...wanted }) {
    const reply = await client.post('/v1/pets', wanted, {
      headers: { 'Idempotency-Key': `once-${++onces}` },
    });
    model.set(idOf(reply), { ...wanted, profile: {} });
  },
  async tool({ profile: described, name: called, categoryId, status }) {
    const { species, description, sex } = described as Record<string, string>;
    const known = JSON.parse(JSON.stringify({ species, description, sex })) as Record<string, unknown>;
    const { id } = await assistant.use('add_animal', {
      ...{ name: called, category_id: categoryId, status },
      ...known,
    });
    model.set(Number(id), { name: called, categoryId, status, profile: known });
  },
  patch: ({ name: called, categoryId }, at) =>
    withPet(at, async (id, known) => {
      await client.patch(`/v1/pets/${id}`, { name: called, categoryId });
      Object.assign(known, { name: called, categoryId });
    }),
  sell: (_wanted, at) =>
    withPet(at, async (id, known) => {
      await client.patch(`/v1/pets/${id}`, { status: 'available' });
      await client.patch(`/v1/pets/${id}`, { status: 'sold' });
      known.status = 'sold';
    }),
  describe: ({ profile: described }, at) =>
    withPet(at, async (id, known) => {
      await putProfile(id, described);
      known.profile = described;
    }),
  empty: (_wanted, at) =>
    withPet(at, async (id, known) => {
      await putProfile(id, {});
      known.profile = {};
    }),
  remove: (_wanted, at) =>
    withPet(at, async (id) => {
      if (model.size < 100) return;
      await client.delete(`/v1/pets/${id}`);
      model.delete(id);
    }),
};

const expected = (wanted: ModelSearch): number[] =>
  [...model]
    .filter(([, each]) => finds(wanted, each))
    .map(([id]) => id)
    .sort((a, b) => b - a);

describe('searches', () => {
  it('finds what the contract says, after changes of every kind, on all pages, by ids and as a tool', async () => {
    const changes = fc.sample(
      fc.tuple(fc.constantFrom(...Object.keys(WAYS)), pet, profile, fc.nat()),
      CHANGES,
    );
    // Some at a time, each about an animal of its own.
    for (let at = 0; at < CHANGES; at += 16)
      await Promise.all(
        changes
          .slice(at, at + 16)
          .map(async ([way, wanted, described, n]) => WAYS[way]?.({ ...wanted, profile: described }, n)),
      );
    let found = 0;
    for (const wanted of fc.sample(
      narrow.filter((each) => queryOf(each).length <= 3_200),
      SEARCHES,
    )) {
      const query = queryOf(wanted);
      const ids = expected(wanted);
      const pages = await allPages(client, `/v1/pets?limit=40&${query}`);
      expect([query, pages.map(({ id }) => id)]).toEqual([query, ids]);
      const some = [...model.keys()].slice(0, 100);
      const reply = await client.get(`/v1/pets?ids=${some.join()}&${query}`);
      expect([query, reply.status, reply.text]).toEqual([query, 200, reply.text]);
      const byIds = petsOf(reply);
      expect([query, byIds.map(({ id }) => id)]).toEqual([query, ids.filter((id) => some.includes(id))]);
      found += ids.length;
    }
    expect(found).toBeGreaterThan(SEARCHES);
  }, 300_000);
});
