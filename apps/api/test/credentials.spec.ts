import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration, KeySigner } from '@petstore/api-key';
import { PostgresApiKeyRepository } from '@petstore/persistence';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import { Client } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let anonymous: Client;

beforeAll(async () => {
  running = await runService();
  anonymous = new Client(running.service.origin);
});
afterAll(async () => {
  anonymous.close();
  await running.close();
});

describe('a credential', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('may be called %s', async (scheme) => {
    const key = await running.issueKey();
    expect(await anonymous.get('/v1/pets', { headers: { Authorization: `${scheme} ${key}` } })).toMatchObject(
      { status: 200 },
    );
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic cGV0OnN0b3Jl', 'Token abc'])('is missing in %j', async (value) => {
    const reply = await anonymous.get('/v1/pets', { headers: { Authorization: value } });
    expectError(reply, 'missing_api_key');
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    expectLimitHeaders(reply);
  });

  it.each([
    'Bearer x',
    'Bearer pet_test_00000000000000000000000000000000000000000000',
    'Bearer two words',
    'Bearer "quoted"',
    `Bearer ${'x'.repeat(5000)}`,
  ])('is refused as %j', async (value) => {
    const reply = await anonymous.get('/v1/pets', { headers: { Authorization: value } });
    expectError(reply, 'invalid_api_key');
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="petstore", error="invalid_token"');
    expectLimitHeaders(reply);
  });

  it('is refused when it is sent twice, even the same', async () => {
    const key = await running.issueKey();
    const reply = await anonymous.raw(
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    expect(reply).toContain('"invalid_api_key"');
  });

  it('does not count in the query or in another header', async () => {
    const key = await running.issueKey();
    expectError(await anonymous.get(`/v1/pets?api_key=${key}&access_token=${key}`), 'missing_api_key');
    expectError(await anonymous.get('/v1/pets', { headers: { 'X-API-Key': key } }), 'missing_api_key');
    expectError(
      await anonymous.get('/v1/pets', { headers: { 'Proxy-Authorization': `Bearer ${key}` } }),
      'missing_api_key',
    );
  });
});

it('of the previous pepper is accepted for as long as that is configured', async () => {
  const statuses = async (changes: Record<string, string>, keys: readonly string[]): Promise<number[]> => {
    const client = new Client((await running.another(changes)).origin);
    const replies = await Promise.all(keys.map((key) => client.get('/v1/pets', { key })));
    client.close();
    return replies.map(({ status }) => status);
  };
  const pepper = 'the next pepper of the service';
  const { key, secret: old } = await running.administration.create({ name: 'shop', plan: 'free' }, 'tests');
  const next = new ApiKeyAdministration({
    repository: new PostgresApiKeyRepository(running.database),
    signer: new KeySigner(pepper),
    scopes: PETSTORE_SCOPES,
    kind: 'test',
  });
  const { secret: fresh } = await next.rotate(key.id, 3_600_000, 'tests');
  const previous = running.environment['API_KEY_PEPPER'] ?? '';
  expect(await statuses({ API_KEY_PEPPER: pepper, API_KEY_PEPPER_PREVIOUS: previous }, [old, fresh])).toEqual(
    [200, 200],
  );
  expect(await statuses({ API_KEY_PEPPER: pepper }, [old, fresh])).toEqual([401, 200]);
  expect(await statuses({}, [old, fresh])).toEqual([200, 401]);
});
