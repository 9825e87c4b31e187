import { describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serveShared } from '../support/running-service.js';
import { addPet, ORDERS } from '../support/shop.js';
import { until } from '../support/until.js';

/** The moment at which the first of some twins commits is met by one in some twenty rounds; there are three operations. */
const ROUNDS = 8;
const TWINS = 15;

const { running, client } = await serveShared();

const rex = { name: 'Rex', categoryId: 7 };
const post = (key: string, body: unknown = rex, as = client): Promise<Reply> =>
  as.post('/v1/pets', body, { headers: { 'Idempotency-Key': key } });
/** Those that belong to the response rather than to the request or its connection. */
const fieldsOfResponse = ({ headers }: Reply): object =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(date|x-request-id|ratelimit|x-ratelimit-.*)$/.test(name)),
  );
const newest = async (): Promise<string> => (await client.get('/v1/pets?limit=1')).text;

describe('Idempotency-Key', () => {
  it('makes the second request repeat the first response, also where the public address has changed', async () => {
    const key = await running.issueKey();
    const moved = await running.another({ PUBLIC_BASE_URL: 'https://moved.example/v1' });
    const [before, after] = [running.connect(key), running.connect(key, moved.origin)];
    const first = await post('fields', rex, before);
    const pet = await newest();
    const again = await post('fields', rex, after);
    expect(await newest()).toBe(pet);
    const other = await post('other', rex, after);
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(fieldsOfResponse(again)).toEqual({ ...fieldsOfResponse(first), 'idempotent-replayed': 'true' });
    expectLimitHeaders(again);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(Number(again.headers['x-ratelimit-remaining'])).toBeLessThan(
      Number(first.headers['x-ratelimit-remaining']),
    );
    expect(other.headers.location).toMatch(/^https:\/\/moved\.example\/v1\/pets\/\d+$/);
  });

  it('takes the same animal in another spelling for the same', async () => {
    const first = await post('spelling', '{"name":"Rex","categoryId":7}');
    const second = await post(
      'spelling',
      '{ "categoryId": 7.0, "name": "\\u0052ex", "status": "available", "id": 9 }',
    );
    expect(second).toMatchObject({ status: 201, text: first.text });
  });

  it('is refused for another animal', async () => {
    await post('reused');
    const before = await newest();
    expectError(await post('reused', { ...rex, name: 'Mia' }), 'idempotency_key_reused');
    expect(await newest()).toBe(before);
  });

  it('belongs to the API key', async () => {
    const first = await post('mine');
    const other = await post('mine', { ...rex, name: 'Mia' }, await running.client());
    expect(other.status).toBe(201);
    expect(other.text).not.toBe(first.text);
  });

  it('does not remember a refusal', async () => {
    expectError(await post('refused', { ...rex, name: '' }), 'validation_failed');
    expectError(await post('refused', '{'), 'invalid_json');
    expect((await post('refused')).status).toBe(201);
  });

  it.each(['x', '!~', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])(
    'may be %s',
    async (key) => {
      expect((await post(key)).status).toBe(201);
    },
  );

  it.each<[string | string[]]>([
    [''],
    ['x'.repeat(256)],
    ['two words'],
    ['""'],
    ['"two words"'],
    [`"${'x'.repeat(256)}"`],
    ['tab\there'],
    ['schlüssel'],
    [['a', 'b']],
  ])('may not be %j', async (key) => {
    expectError(
      await client.post('/v1/pets', rex, { headers: { 'Idempotency-Key': key } }),
      'invalid_parameter',
    );
  });

  it.each([
    ['quoted', '"quoted"'],
    ['parameters', '"parameters"; a=1;b="2"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ])('is the same with quotation marks: %.20s', async (plain, quoted) => {
    const send = (key: string): Promise<Reply> =>
      client.post('/v1/pets', rex, { headers: { 'Idempotency-Key': key } });
    const [first, second] = [await send(quoted), await send(plain)];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('means nothing on other operations', async () => {
    expect((await client.get('/v1/pets', { headers: { 'Idempotency-Key': 'two words' } })).status).toBe(200);
  });

  it.each<[string, string, (round: number) => object | Promise<object>]>([
    ['createPet', '/v1/pets', () => rex],
    ['createCategory', '/v1/categories', (round) => ({ name: `Category ${round}` })],
    ['placeOrder', ORDERS, async () => ({ petId: await addPet(client) })],
  ])(
    'carries out the same %s many times at once once, and takes no twin for another',
    async (operation, path, inputOf) => {
      let allReplayed = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const body = await inputOf(round);
        const headers = { 'Idempotency-Key': `${operation}-${round}` };
        const send = (): Promise<Reply> => client.post(path, body, { headers });
        const replies = await Promise.all(Array.from({ length: TWINS }, send));
        for (const reply of replies) {
          if (reply.status === 201) continue;
          expectError(reply, 'idempotency_in_progress');
          expect(reply.headers['retry-after']).toBe('1');
        }
        await until(async () => {
          const later = await send();
          replies.push(later);
          return later.status === 201;
        });
        const created = replies.filter(({ status }) => status === 201);
        expect(new Set(created.map(({ text }) => text)).size).toBe(1);
        const replayed = created.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
        expect(created.length - replayed.length).toBeLessThanOrEqual(1);
        allReplayed += replayed.length;
      }
      expect(allReplayed).toBeGreaterThanOrEqual(ROUNDS / 2);
    },
  );
});

it('the ETag of a list changes when an animal is added', async () => {
  const before = (await client.get('/v1/pets')).headers.etag;
  await client.post('/v1/pets', rex);
  expect((await client.get('/v1/pets', { headers: { 'If-None-Match': before } })).status).toBe(200);
});
