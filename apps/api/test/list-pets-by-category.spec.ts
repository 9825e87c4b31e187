import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { linkOf, petsOf, type ListedPet } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';

const STATUSES = ['available', 'pending', 'sold'];

let running: RunningService;
let client: Client;
/** Newest first. */
const created: ListedPet[] = [];

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  for (let n = 0; n < 48; n++) {
    const pet = { name: `pet ${n}`, categoryId: [7, 8, 7, 1][n % 4], status: STATUSES[n % 3] };
    const reply = await client.post('/v1/pets', pet);
    expect(reply.status).toBe(201);
    created.unshift(JSON.parse(reply.text) as ListedPet);
  }
});
afterAll(() => running.close());

async function follow(path: string): Promise<ListedPet[]> {
  const seen: ListedPet[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Reply = await client.get(next);
    expect(page.status).toBe(200);
    seen.push(...petsOf(page));
    next = linkOf(page, 'next');
  }
  return seen;
}

async function cursorOf(query: string): Promise<string> {
  const next = linkOf(await client.get(`/v1/pets?limit=1${query}`), 'next') ?? '';
  return new URL(next, 'http://x').searchParams.get('cursor') ?? '';
}

describe('GET /v1/pets?categoryId', () => {
  it.each([1, 4, 24, 100])('shows the animals of one category, page by page of %d', async (limit) => {
    const wanted = created.filter((pet) => pet.categoryId === 7);
    expect(wanted).toHaveLength(24);
    expect(await follow(`/v1/pets?categoryId=7&limit=${limit}`)).toEqual(wanted);
  });

  it.each(STATUSES)('shows those that are %s', async (status) => {
    const wanted = created.filter((pet) => pet.categoryId === 7 && pet.status === status);
    expect(wanted.length).toBeGreaterThan(5);
    expect(await follow(`/v1/pets?status=${status}&limit=3&categoryId=7`)).toEqual(wanted);
  });

  it('shows 20 unless asked for more', async () => {
    const page = await client.get('/v1/pets?categoryId=7');
    expect(petsOf(page)).toEqual(created.filter((pet) => pet.categoryId === 7).slice(0, 20));
    expectLimitHeaders(page);
  });

  it.each(['999', '9223372036854775807'])('is an empty array for category %s', async (category) => {
    const reply = await client.get(`/v1/pets?categoryId=${category}`);
    expect(reply).toMatchObject({ status: 200, text: '[]' });
    expect(reply.headers).not.toHaveProperty('link');
  });

  it('keeps all filters in its links', async () => {
    const first = await client.get('/v1/pets?categoryId=7&limit=2&status=sold');
    expect(first.headers['link']).toMatch(
      /^<\/v1\/pets\?limit=2&status=sold&categoryId=7&cursor=[0-9a-z]+-7>; rel="next"$/,
    );
    const second = await client.get(linkOf(first, 'next') ?? '');
    expect(linkOf(second, 'first')).toBe('/v1/pets?limit=2&status=sold&categoryId=7');
  });

  it('is answered 304 to whoever has the page', async () => {
    const { headers } = await client.get('/v1/pets?categoryId=7');
    const etag = String(headers.etag);
    const again = await client.get('/v1/pets?categoryId=7', { headers: { 'If-None-Match': etag } });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await client.get('/v1/pets?categoryId=8')).headers.etag).not.toBe(etag);
  });

  it('refuses a cursor of a list with other filters, and names the filters', async () => {
    const queries = ['', '&status=sold', '&categoryId=7', '&categoryId=8', '&categoryId=7&status=sold'];
    const cursors = await Promise.all(queries.map(cursorOf));
    for (const [i, query] of queries.entries()) {
      for (const [j, cursor] of cursors.entries()) {
        const reply = await client.get(`/v1/pets?cursor=${cursor}${query}`);
        if (i === j) expect(reply.status).toBe(200);
        else {
          expectError(reply, 'invalid_cursor');
          expect(reply.text).toMatch(/another status or categoryId\..*filters/);
        }
      }
    }
  });

  it('refuses a cursor of which the category was changed or cut off', async () => {
    const cursor = await cursorOf('&categoryId=7');
    expect(cursor).toMatch(/^[0-9a-z]+-7$/);
    expectError(await client.get(`/v1/pets?categoryId=8&cursor=${cursor.slice(0, -1)}8`), 'invalid_cursor');
    expectError(await client.get(`/v1/pets?cursor=${cursor.slice(0, -2)}`), 'invalid_cursor');
    expectError(await client.get(`/v1/pets?categoryId=7&cursor=${cursor}0`), 'invalid_cursor');
  });

  it.each([
    ...[
      '',
      '=',
      '=0',
      '=-1',
      '=%2B7',
      '=+7',
      '=07',
      '=7.0',
      '=7e0',
      '=0x7',
      '=seven',
      '=%00',
      '=%zz',
      '=7,8',
      '=%D9%A7',
    ],
    ...[
      '=9223372036854775808',
      '=99999999999999999999',
      '=7&categoryId=7',
      '=7&categoryId=8',
      `=${'7'.repeat(8_000)}`,
    ],
  ])('refuses ?categoryId%.30s as an invalid parameter', async (value) => {
    const reply = await client.get(`/v1/pets?categoryId${value}`);
    expectError(reply, 'invalid_parameter');
    expect(reply.text).toContain('categoryId must be a whole number from 1 to 9223372036854775807');
  });
});
