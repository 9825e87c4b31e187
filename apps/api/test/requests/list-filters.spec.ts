import { beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '../deploy/deploy-files.js';
import type { Reply } from '../support/client.js';
import { expectError, messageOf } from '../support/contract.js';
import { linkOf } from '../support/listed-pets.js';
import { serveShared } from '../support/running-service.js';

/** Values of a filter: one that finds at least three items of the table, as it may be sent, and one that finds others. */
type Values = readonly [sent: string, another: string];

interface ListUnderTest {
  readonly path: string;
  /** Makes at least three items that each filter's first value finds. */
  readonly make: () => Promise<unknown>;
  /** By the name of each filter of the document. */
  readonly filters: Readonly<Record<string, Values>>;
}

const { running, client } = await serveShared();
const CATEGORY = '4711';

async function add(status: string): Promise<number> {
  const { text } = await client.post('/v1/pets', { name: 'Rex', categoryId: Number(CATEGORY), status });
  return (JSON.parse(text) as { id: number }).id;
}
async function thrice(make: () => Promise<Reply | number>): Promise<void> {
  for (let n = 0; n < 3; n++) await make();
}
const orderedPet = await add('available');
const { id: webhookId } = JSON.parse(
  (await client.post('/v1/webhooks', { url: 'https://shop.example/', types: ['order.expired'] })).text,
) as { id: number };

const PROFILE = {
  ...{ species: 'Öland goose', breeds: ['a "b"'], colors: ['c & d'], location: "e's", reference: 'f\\g+h' },
  ...{ sex: 'male', ageGroup: 'adult', size: 'small', coat: 'short', goodWith: { dogs: true } },
  ...{ mixedBreed: true, spayedNeutered: false, houseTrained: true, vaccinated: false, specialNeeds: true },
  description: 'Loves gardens',
};
/** What animals are searched by. */
const SEARCH: Readonly<Record<string, Values>> = {
  ...{
    name: ['rex', 'max'],
    species: ['öland  Goose', 'goose'],
    breed: ['A "B"', 'a'],
    color: ['c & d', 'c'],
  },
  ...{
    location: ["E's", 'es'],
    reference: ['F\\G+H', 'f'],
    sex: ['male', 'female'],
    ageGroup: ['adult', 'baby'],
  },
  ...{
    size: ['small', 'large'],
    coat: ['short', 'long'],
    goodWith: ['dogs', 'cats'],
    mixedBreed: ['true', 'false'],
  },
  ...{ spayedNeutered: ['false', 'true'], houseTrained: ['true', 'false'], vaccinated: ['false', 'true'] },
  ...{ specialNeeds: ['true', 'false'], text: ['gard love', 'ardens'] },
};

/** By the operation's id. */
const LISTS: Readonly<Record<string, ListUnderTest>> = {
  listPets: {
    path: '/v1/pets',
    make: () =>
      thrice(async () => {
        const id = await add('pending');
        return client.post(`/v1/pets/${id}/profile`, PROFILE, { method: 'PUT' });
      }),
    filters: { status: ['pending', 'sold'], categoryId: [CATEGORY, '4712'], ...SEARCH },
  },
  listCategories: {
    path: '/v1/categories',
    make: async () => {
      for (const name of ['A', 'B', 'C']) await client.post('/v1/categories', { name: `filters ${name}` });
    },
    filters: {},
  },
  listOrders: {
    path: '/v1/store/orders',
    make: () =>
      thrice(async () => {
        const { headers } = await client.post('/v1/store/orders', { petId: orderedPet });
        return client.post(`${headers.location}/cancel`, {});
      }),
    filters: { status: ['cancelled', 'approved'], petId: [String(orderedPet), '1000000'] },
  },
  listDeliveries: {
    path: `/v1/webhooks/${webhookId}/deliveries`,
    make: () =>
      running.database.manager.query(
        `insert into webhook_deliveries (webhook_id, position, type, status, attempts)
         select $1, n, 'pet.updated', 'failed', 10 from generate_series(1, 3) n`,
        [webhookId],
      ),
    filters: { status: ['failed', 'dropped'] },
  },
  listEvents: {
    path: '/v1/events',
    make: () => Promise.resolve(),
    filters: { resource: ['pet', 'category'] },
  },
};

interface Parameter {
  readonly in: string;
  readonly name: string;
}
interface Documented {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly operationId: string; readonly parameters?: readonly Parameter[] } }
    >
  >;
}
const document = JSON.parse(read('docs/openapi.json')) as Documented;
/** What is no filter. */
const OTHERS = new Set(['limit', 'cursor', 'after', 'ids', 'include']);
const documented = Object.values(document.paths).flatMap(({ get }) => {
  const names = (get?.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
  return get !== undefined && names.includes('limit') ? [[get.operationId, names] as const] : [];
});

it('the table has each filter of each list of the document', () => {
  expect(
    Object.entries(LISTS)
      .map(([list, { filters }]) => [list, Object.keys(filters)])
      .sort(),
  ).toEqual(documented.map(([list, names]) => [list, names.filter((name) => !OTHERS.has(name))]).sort());
});

const CASES = Object.entries(LISTS).flatMap(([list, { path, filters }]) =>
  Object.entries(filters).map(([name, values]) => ({
    list,
    path,
    name,
    sent: values[0],
    other: values[1],
    names: documented.find(([each]) => each === list)?.[1] ?? [],
  })),
);
const idsOf = ({ text }: Reply): number[] => (JSON.parse(text) as { id: number }[]).map(({ id }) => id);
const parametersOf = (target: string): URLSearchParams => new URL(target, 'http://x').searchParams;

beforeAll(async () => {
  for (const { make } of Object.values(LISTS)) await make();
});

describe.each(CASES)('the filter $name of $list', ({ path, name, sent, other, names }) => {
  const filtered = `${path}?limit=1&${name}=${encodeURIComponent(sent)}`;

  it('is kept by links as it was sent, and finds the same items page by page', async () => {
    const first = await client.get(filtered);
    expect([first.status, idsOf(first).length]).toEqual([200, 1]);
    const next = linkOf(first, 'next') ?? '';
    expect(parametersOf(next).get(name)).toBe(sent);
    const second = await client.get(next);
    expect([second.status, idsOf(second).length]).toEqual([200, 1]);
    expect(idsOf(second)).not.toEqual(idsOf(first));
    if (!names.includes('cursor')) return;
    expect(linkOf(second, 'first')).toBe(filtered);
    const both = await client.get(`${path}?limit=2&${name}=${encodeURIComponent(sent)}`);
    expect(idsOf(both)).toEqual([...idsOf(first), ...idsOf(second)]);
  });

  it('is given at most once', async () => {
    const given = `${name}=${encodeURIComponent(sent)}`;
    const reply = await client.get(`${path}?${given}&${given}`);
    expectError(reply, 'invalid_parameter');
    expect(messageOf(reply)).toMatch(new RegExp(`^${name} must be`));
  });

  if (names.includes('cursor'))
    it('belongs to a cursor', async () => {
      const cursor = parametersOf(linkOf(await client.get(filtered), 'next') ?? '').get('cursor') ?? '';
      const value = encodeURIComponent(sent);
      for (const query of [`cursor=${cursor}`, `cursor=${cursor}&${name}=${other}`])
        expectError(await client.get(`${path}?${query}`), 'invalid_cursor');
      for (const query of [
        `cursor=${cursor}&${name}=${value}`,
        `${name}=${value}&limit=7&_=1&cursor=${cursor}`,
      ])
        expect((await client.get(`${path}?${query}`)).status).toBe(200);
      const unfiltered = parametersOf(linkOf(await client.get(`${path}?limit=1`), 'next') ?? '').get(
        'cursor',
      );
      expectError(await client.get(`${filtered}&cursor=${unfiltered}`), 'invalid_cursor');
    });

  if (names.includes('ids'))
    it('filters what is listed by ids', async () => {
      const ids = idsOf(await client.get(filtered.replace('limit=1', 'limit=3')));
      expect(ids).toHaveLength(3);
      const query = `${path}?ids=${ids.join()}`;
      expect(idsOf(await client.get(`${query}&${name}=${encodeURIComponent(sent)}`))).toEqual(ids);
      expect(idsOf(await client.get(`${query}&${name}=${other}`))).toEqual([]);
    });
});

it.each([
  ['/v1/pets?categoryId=x&status=y&limit=0', 'limit', 'invalid_parameter'],
  ['/v1/pets?ids=x&categoryId=x&cursor=x&status=y', 'status', 'invalid_parameter'],
  ['/v1/pets?ids=x&categoryId=x&cursor=x', 'cursor', 'invalid_cursor'],
  ['/v1/pets?cursor=%ff&include=x', 'cursor', 'invalid_cursor'],
  ['/v1/pets?text=-&sex=x&species=', 'species', 'invalid_parameter'],
  ['/v1/pets?cursor=&limit=20', 'cursor', 'invalid_cursor'],
  ['/v1/events?limit=0&after=x', 'after', 'invalid_parameter'],
  ['/v1/store/orders?petId=%zz&cursor=x', 'petId', 'invalid_parameter'],
])(
  'of several wrong parameters the first in the order of the document is named: %s',
  async (target, name, code) => {
    const reply = await client.get(target);
    expectError(reply, code);
    expect(messageOf(reply)).toMatch(new RegExp(`^${name} must be [^;]*$`));
  },
);
