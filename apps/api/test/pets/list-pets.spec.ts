import { describe, expect, it } from '@jest/globals';
import { urlPart } from '@petstore/arbitraries';
import fc from 'fast-check';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { allPages, linkOf, type ListedPet, petsOf } from '../support/listed-pets.js';
import { serve } from '../support/running-service.js';

const ANIMALS = 100;
const STATUSES = ['available', 'pending', 'sold'];
const NONE = '9223372036854775807';

const { client } = await serve();
/** Newest first; the ids are 100 to 1. */
const created: ListedPet[] = [];

async function add(name: string, categoryId: number | undefined, status?: string): Promise<ListedPet> {
  const reply = await client.post('/v1/pets', { name, categoryId, status });
  expect(reply.status).toBe(201);
  return JSON.parse(reply.text) as ListedPet;
}

for (let n = 0; n < ANIMALS; n++)
  created.unshift(await add(`"pet" ${n}`, [7, 8, 7, 1][n % 4], STATUSES[n % 3]));

/** What a query without `ids` should show on all of its pages. */
function wanted(query: string): ListedPet[] {
  const parameters = new URLSearchParams(query);
  const [status, category] = [parameters.get('status'), parameters.get('categoryId')];
  return created.filter(
    (pet) =>
      (status === null || pet.status === status) &&
      (category === null || pet.categoryId === Number(category)),
  );
}

// Its filters: requests/list-filters.spec.ts; what a parameter may be: requests/values.spec.ts.
describe('GET /v1/pets', () => {
  it.each(['', 'limit=1', 'limit=19', 'limit=99', 'limit=100'])(
    'shows the newest animals of ?%s first, 20 unless asked for another number',
    async (query) => {
      const limit = Number(new URLSearchParams(query).get('limit') ?? 20);
      const reply = await client.get(`/v1/pets?${query}`);
      expect(petsOf(reply)).toEqual(created.slice(0, limit));
      expectLimitHeaders(reply);
    },
  );

  it.each([
    ...['limit=7', 'limit=99', 'limit=4&status=pending'],
    ...['limit=1&categoryId=7', 'limit=50&categoryId=7', 'status=sold&limit=3&categoryId=7'],
  ])('comes page by page without a repeat or a gap: ?%s', async (query) => {
    expect(wanted(query).length).toBeGreaterThan(5);
    expect(await allPages(client, `/v1/pets?${query}`)).toEqual(wanted(query));
  });

  it.each(['categoryId=999', `categoryId=${NONE}`, 'categoryId=8&status=sold&ids=1', `ids=${NONE}`])(
    'is an empty array without links where there is nothing: ?%s',
    async (query) => {
      const reply = await client.get(`/v1/pets?${query}`);
      expect(reply).toMatchObject({ status: 200, text: '[]' });
      expect(reply.headers).not.toHaveProperty('link');
    },
  );

  it('links to the next page until the last one, and to the first one from there', async () => {
    const page = await client.get('/v1/pets?limit=99');
    expect(page.headers['link']).toMatch(/^<\/v1\/pets\?limit=99&cursor=[0-9a-z]+>; rel="next"$/);
    const last = await client.get(linkOf(page, 'next') ?? '');
    expect(last.headers['link']).toBe('</v1/pets?limit=99>; rel="first"');
    expect((await client.get('/v1/pets?limit=100')).headers).not.toHaveProperty('link');
  });

  it('keeps its position while others are added', async () => {
    const added: ListedPet[] = [];
    const seen = await allPages(client, '/v1/pets?limit=20', async () => added.push(await add('later', 1)));
    expect(seen).toEqual(created);
    for (const { id } of added) await client.delete(`/v1/pets/${id}`);
  });

  it('ignores Accept', async () => {
    const headers = { Accept: 'text/html;q=1, */*;q=0' };
    const reply = await client.get('/v1/pets?limit=2', { headers });
    expect([petsOf(reply).length, reply.headers['content-type']]).toEqual([2, 'application/json']);
  });

  it('responds to any query with 200 or an error of 400, never anything else', async () => {
    const part = fc.oneof(
      fc.constantFrom('limit', 'status', 'categoryId', 'ids', 'cursor', '=', '1', ','),
      urlPart,
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const query = parts.map((text) => encodeURI(text.toWellFormed()).replaceAll('#', '')).join('&');
        expect([200, 400]).toContain((await client.get(`/v1/pets?${query}`)).status);
      }),
      { numRuns: 100 },
    );
  });
});

describe('GET /v1/pets?ids', () => {
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
  const escaped = (text: string): string =>
    Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');

  it('is an array of one animal as its own path gives it', async () => {
    const { text, headers } = await client.get('/v1/pets?ids=42');
    expect(text).toBe(`[${(await client.get('/v1/pets/42')).text}]`);
    expect(headers).not.toHaveProperty('link');
  });

  it.each([
    ['42,17', [42, 17]],
    ['17,42', [42, 17]],
    ['%31%37%2c42', [42, 17]],
    ['17,17,42,17', [42, 17]],
    [`3,${NONE},1,999`, [3, 1]],
  ])('?ids=%s shows those that exist, newest first', async (ids, shown) => {
    const reply = await client.get(`/v1/pets?ids=${ids}`);
    expect(petsOf(reply)).toEqual(shown.map((id) => created.find((pet) => pet.id === id)));
  });

  it('shows 100 animals at once, without links, also when some are repeated', async () => {
    const ids = upTo(ANIMALS).join(',');
    for (const list of [ids, `${ids},${ids},1`]) {
      const reply = await client.get(`/v1/pets?ids=${list}`);
      expect(petsOf(reply)).toEqual(created);
      expect(reply.headers).not.toHaveProperty('link');
    }
    expectError(await client.get(`/v1/pets?ids=${upTo(101).join(',')}`), 'invalid_parameter');
  });

  it('takes the longest ids, escaped or not', async () => {
    const list = [...upTo(99).map((n) => BigInt(NONE) - BigInt(n)), 42].join(',');
    for (const text of [list, list.replaceAll(',', '%2C'), escaped(list)])
      expect(petsOf(await client.get(`/v1/pets?ids=${text}`)).map(({ id }) => id)).toEqual([42]);
  });

  it('gives each of many requests at once its own animals', async () => {
    const replies = await Promise.all(upTo(ANIMALS).map((id) => client.get(`/v1/pets?ids=${id}`)));
    expect(replies.map((reply) => petsOf(reply).map(({ id }) => id))).toEqual(
      upTo(ANIMALS).map((id) => [id]),
    );
  });

  it('cannot be combined with limit or cursor', async () => {
    const next = linkOf(await client.get('/v1/pets?limit=1'), 'next') ?? '';
    for (const other of ['limit=10', `cursor=${new URL(next, 'http://x').searchParams.get('cursor')}`]) {
      const reply = await client.get(`/v1/pets?ids=1,2&${other}`);
      expectError(reply, 'invalid_parameter');
      expect(reply.text).toContain('ids must not be combined with limit or cursor');
    }
  });
});
