import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService({ GET_PET_DEPRECATED_SINCE: '2026-01-31T12:00:00Z' });
  client = await running.client();
});
afterAll(() => running.close());

function expectDeprecation(reply: Reply): void {
  expect(reply.headers).toMatchObject({
    deprecation: '@1769860800',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    // Behind the link of an error.
    link: expect.stringMatching(
      /^(?:<[^>]+>; rel="help"; type="text\/html", )?<\/docs\/guide\/deprecation>; rel="deprecation"; type="text\/html", <\/v1\/pets>; rel="successor-version"$/,
    ),
  });
}

describe('GET /v1/pets/{petId}', () => {
  it('responds with the animal', async () => {
    const created = await client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'sold' });
    const reply = await client.get(created.headers.location ?? '');
    expect(reply).toMatchObject({ status: 200, text: created.text });
    expect(reply.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
    });
    expectLimitHeaders(reply);
    expectDeprecation(reply);
  });

  it('responds to HEAD without a body', async () => {
    const created = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const reply = await client.send(created.headers.location ?? '', { method: 'HEAD' });
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(created.text)));
    expectDeprecation(reply);
  });

  it.each([
    ...['9223372036854775807', '999999999', '0', '-1', '+1', '01', '1.5', '1.0', '1e3', '0x1', 'abc', 'null'],
    ...[
      '9223372036854775808',
      '99999999999999999999999999',
      '%00',
      '%zz',
      '%',
      '%C3%28',
      '1%00',
      '1%2F2',
      '%201',
      '1,2',
    ],
    ...['%F0%9F%90%B6', "1';--", '..', '1;v=2'],
  ])('finds nothing under %s', async (id) => {
    const reply = await client.get(`/v1/pets/${id}`);
    expectError(reply, 'pet_not_found');
    expectLimitHeaders(reply);
    expectDeprecation(reply);
  });

  it('announces its end on refusals too', async () => {
    const anonymous = await new Client(running.service.origin).get('/v1/pets/1', {
      headers: { Connection: 'close' },
    });
    expectError(anonymous, 'missing_api_key');
    expectDeprecation(anonymous);
    const refused = await client.send('/v1/pets/1', { key: 'wrong' });
    expectError(refused, 'invalid_api_key');
    expectDeprecation(refused);
    const writer = await running.client({ scopes: ['pets:write'] });
    const forbidden = await writer.get('/v1/pets/1');
    expectError(forbidden, 'insufficient_scope');
    expectDeprecation(forbidden);
  });

  it('does not announce the end of the operations that stay', async () => {
    expect((await client.get('/v1/pets')).headers).not.toHaveProperty('deprecation');
    expect((await client.get('/v1/pets')).headers).not.toHaveProperty('sunset');
  });
});
