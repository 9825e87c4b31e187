import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { linkOf, type ListedPet, petsOf } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';

const ANIMALS = 120;
const STATUSES = ['available', 'pending', 'sold'];
const NOBODY = '9223372036854775807';

let running: RunningService;
let client: Client;
/** Newest first. */
const created: ListedPet[] = [];

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  for (let n = 0; n < ANIMALS; n++) {
    const pet = { name: `pet "${n}"`, categoryId: (n % 2) + 7, status: STATUSES[n % 3] };
    const reply = await client.post('/v1/pets', pet);
    expect(reply.status).toBe(201);
    created.unshift(JSON.parse(reply.text) as ListedPet);
  }
});
afterAll(() => running.close());

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('GET /v1/pets?ids', () => {
  it('is an array of one animal as its own path gives it', async () => {
    const list = await client.get('/v1/pets?ids=42');
    expect(list.status).toBe(200);
    expect(list.text).toBe(`[${(await client.get('/v1/pets/42')).text}]`);
    expect(list.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
    });
    expect(list.headers).not.toHaveProperty('link');
    expect(list.headers).not.toHaveProperty('deprecation');
    expectLimitHeaders(list);
  });

  it.each([
    ['42,17', [42, 17]],
    ['17,42', [42, 17]],
    ['17%2C42', [42, 17]],
    ['%31%37%2c42', [42, 17]],
    ['17,17,42,17', [42, 17]],
    [`3,${NOBODY},1,999`, [3, 1]],
    [NOBODY, []],
  ])('?ids=%s shows those that exist, newest first', async (ids, wanted) => {
    const reply = await client.get(`/v1/pets?ids=${ids}`);
    expect(reply.status).toBe(200);
    expect(petsOf(reply)).toEqual(wanted.map((id) => created.find((pet) => pet.id === id)));
  });

  it('shows 100 animals at once, without links, also when some are repeated', async () => {
    const wanted = created.filter((pet) => pet.id <= 100);
    const ids = upTo(100).join(',');
    for (const list of [ids, `${ids},${ids},1`, ids.replaceAll(',', '%2C')]) {
      const reply = await client.get(`/v1/pets?ids=${list}`);
      expect(petsOf(reply)).toEqual(wanted);
      expect(linkOf(reply, 'next')).toBeUndefined();
    }
  });

  it('takes the longest ids, escaped or not', async () => {
    const ids = upTo(99).map((n) => String(BigInt(NOBODY) - BigInt(n)));
    const list = [...ids, '42'].join(',');
    const escaped = Array.from(list, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    for (const text of [list, list.replaceAll(',', '%2C'), escaped]) {
      expect(petsOf(await client.get(`/v1/pets?ids=${text}`)).map((pet) => pet.id)).toEqual([42]);
    }
  });

  it('combines with status and categoryId', async () => {
    const ids = upTo(60).join(',');
    const few = created.filter((pet) => pet.id <= 60);
    for (const status of STATUSES) {
      const reply = await client.get(`/v1/pets?ids=${ids}&status=${status}`);
      expect(petsOf(reply)).toEqual(few.filter((pet) => pet.status === status));
    }
    const both = await client.get(`/v1/pets?categoryId=7&ids=${ids}&status=sold`);
    const wanted = few.filter((pet) => pet.status === 'sold' && pet.categoryId === 7);
    expect(wanted.length).toBeGreaterThan(5);
    expect(petsOf(both)).toEqual(wanted);
    expect(petsOf(await client.get(`/v1/pets?categoryId=999&ids=${ids}`))).toEqual([]);
  });

  it('is answered 304 to whoever has it, and has a HEAD', async () => {
    const { headers } = await client.get('/v1/pets?ids=42,17');
    const etag = String(headers.etag);
    const again = await client.get('/v1/pets?ids=17,42', { headers: { 'If-None-Match': etag } });
    expect(again).toMatchObject({ status: 304, text: '' });
    const head = await client.send('/v1/pets?ids=42,17', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag } });
  });

  it('gives everybody their own animals when many ask at once', async () => {
    const replies = await Promise.all(upTo(ANIMALS).map((id) => client.get(`/v1/pets?ids=${id}`)));
    expect(replies.map((reply) => petsOf(reply).map((pet) => pet.id))).toEqual(
      upTo(ANIMALS).map((id) => [id]),
    );
  });

  it('shows exactly those of any ids that exist', async () => {
    const id = fc.integer({ min: 1, max: 2 * ANIMALS });
    await fc.assert(
      fc.asyncProperty(fc.array(id, { minLength: 1, maxLength: 30 }), async (ids) => {
        const reply = await client.get(`/v1/pets?ids=${ids.join(',')}`);
        expect(petsOf(reply)).toEqual(created.filter((pet) => ids.includes(pet.id)));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ...[
      '',
      '=',
      '=,',
      '=1,',
      '=,1',
      '=1,,2',
      '=1,%202',
      '=1,+2',
      '=0',
      '=1,0',
      '=01',
      '=-1',
      '=1.0',
      '=1e3',
      '=1;2',
    ],
    ...['=a', '=%00', '=%zz', '=%ff', '=9223372036854775808', '=1&ids=2', '=1&ids=1', '=[1,2]', '=%5B1%5D'],
  ])('refuses ?ids%s as an invalid parameter', async (value) => {
    const reply = await client.get(`/v1/pets?ids${value}`);
    expectError(reply, 'invalid_parameter');
    expect(reply.text).toContain('ids must be 1 to 100 different ids');
    expectLimitHeaders(reply);
  });

  it.each([101, 1_000])('refuses %d different ids', async (count) => {
    expectError(await client.get(`/v1/pets?ids=${upTo(count).join(',')}`), 'invalid_parameter');
  });

  it.each(['limit=10', 'limit=100', 'cursor=CURSOR'])('cannot be combined with %s', async (other) => {
    const next = linkOf(await client.get('/v1/pets'), 'next') ?? '';
    const cursor = new URL(next, 'http://x').searchParams.get('cursor') ?? '';
    const reply = await client.get(`/v1/pets?ids=1,2&${other.replace('CURSOR', cursor)}`);
    expectError(reply, 'invalid_parameter');
    expect(reply.text).toContain('ids must not be combined with limit or cursor');
  });
});
