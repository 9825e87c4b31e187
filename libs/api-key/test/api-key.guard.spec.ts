import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type ExecutionContext, Get, type INestApplication, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { ApiKeyAdministration } from '../src/administration/api-key-administration.js';
import { RequiresScope, WithoutKey } from '../src/guard/access.decorator.js';
import { ApiKeyGuard } from '../src/guard/api-key.guard.js';
import { defineScopes } from '../src/scopes/scope-registry.js';
import { KeySigner } from '../src/secrets/key-signer.js';
import { Test } from '@nestjs/testing';
import {
  bearer,
  Cats,
  CountingLimiter,
  guarded,
  nameOf,
  PEPPER,
  type Received,
  send,
  start,
  plans,
  Storage,
} from './guarded-app.js';

const signer = new KeySigner(PEPPER);
/** A key of the right form that this server has not issued. */
const madeUpKey = (): string => new KeySigner('another pepper').issue('test').text;

@Controller('public')
@WithoutKey()
class Public {
  @Get('open')
  open(): string {
    return 'open';
  }
  @Get('protected')
  @RequiresScope('cats:read')
  protected(@Req() request: IncomingMessage): string {
    return nameOf(request);
  }
}

/** What needs no key, though its handler does. */
const isOpen = ({ url }: IncomingMessage): boolean => url === '/read?open';

describe('the guard', () => {
  const limiter = new CountingLimiter();
  let app: INestApplication;
  let storage: Storage;
  let administration: ApiKeyAdministration;
  beforeAll(async () => {
    app = await start(Test.createTestingModule(guarded({ controllers: [Cats, Public], limiter, isOpen })));
    storage = app.get(Storage, { strict: false });
    // Scopes come and go with features: keys may have others than this application knows.
    const all = defineScopes({
      'cats:read': { grants: '' },
      'cats:write': { grants: '' },
      'orders:manage': { grants: '' },
    });
    administration = new ApiKeyAdministration({
      repository: storage.repository,
      signer,
      scopes: all,
      plans,
      mode: 'test',
    });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    storage.lookups = 0;
    storage.isUnavailable = false;
    limiter.consumed = [];
    limiter.described = 0;
  });

  const issue = async (...granted: string[]): Promise<string> =>
    (await administration.create({ name: 'shop', plan: 'free', scopes: granted }, 'anna')).secret;
  const get = (path: string, ...keys: string[]): Promise<Received> => send(app, path, ...keys.map(bearer));

  const missing = {
    status: 401,
    body: '{"code":"missing_api_key","message":"An API key is required.","status":401}',
    challenge: 'Bearer realm="api"',
  };
  const invalid = {
    status: 401,
    body: '{"code":"invalid_api_key","message":"The API key is not valid.","status":401}',
    challenge: 'Bearer realm="api", error="invalid_token"',
  };

  it.each(['/read', '/unmarked', '/public/protected'])(
    'asks for a key on %s, and tells whose it is',
    async (path) => {
      expect(await get(path)).toEqual(missing);
      expect(await get(path, await issue('cats:read'))).toMatchObject({ status: 200, body: 'shop' });
    },
  );

  it.each(['/open', '/public/open', '/read?open'])('lets everybody pass on %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 200 });
    expect(await get(path, 'nonsense')).toMatchObject({ status: 200 });
    expect(limiter.consumed).toEqual([]);
  });

  it.each<[string, [string, string][], Received]>([
    ['no key', [], missing],
    ['a made-up key', [bearer(madeUpKey())], invalid],
    ['a key that is not in the store', [bearer(signer.issue('test').text)], invalid],
    ['a mistyped key', [bearer(signer.issue('test').text.replace(/.$/, '~'))], invalid],
    ['an endless key', [bearer('x'.repeat(5_000))], invalid],
    ['two fields', [bearer('abc'), bearer('abc')], invalid],
  ])('refuses %s, and consumes from the address', async (_what, headers, refusal) => {
    expect(await send(app, '/read', ...headers)).toEqual(refusal);
    expect(limiter.consumed).toEqual([undefined]);
  });

  it('accepts a key without the scope, which is then refused', async () => {
    const key = await issue('orders:manage');
    expect(await get('/unmarked', key)).toMatchObject({ status: 200 });
    expect(await get('/write', key)).toEqual({
      status: 403,
      body: '{"code":"insufficient_scope","message":"The API key does not have the scope that this needs.","status":403}',
      challenge: 'Bearer error="insufficient_scope", scope="cats:write", realm="api"',
    });
    expect(limiter.consumed).toEqual([]);
  });

  it('decides without a promise on a key that is cached', async () => {
    const key = await issue('cats:read');
    await get('/read', key);
    const request = { url: '/read', rawHeaders: bearer(key) } as unknown as IncomingMessage;
    const { read: handler } = Object.getOwnPropertyDescriptors(Cats.prototype);
    const context = { getArgs: () => [request], getHandler: () => handler.value, getClass: () => Cats };
    expect(app.get(ApiKeyGuard).canActivate(context as unknown as ExecutionContext)).toBe(true);
  });

  it('looks a new key up once for many requests at the same time', async () => {
    const key = await issue('cats:read');
    const received = await Promise.all(Array.from({ length: 50 }, () => get('/read', key)));
    expect(new Set(received.map(({ status }) => status))).toEqual(new Set([200]));
    expect(storage.lookups).toBe(1);
  });

  it('responds 503 to a new key while the store is unavailable, and consumes from nobody; others go on', async () => {
    const [known, fresh] = [await issue('cats:read'), await issue('cats:read')];
    await get('/read', known);
    storage.isUnavailable = true;
    expect(await get('/read', fresh)).toMatchObject({ status: 503 });
    expect([limiter.consumed, limiter.described]).toEqual([[], 1]);
    expect(await get('/read', known)).toMatchObject({ status: 200 });
    expect(await get('/read', madeUpKey())).toEqual(invalid);
    storage.isUnavailable = false;
    expect(await get('/read', fresh)).toMatchObject({ status: 200 });
  });

  it('never looks made-up keys up, and refuses the address that sends too many, but no key from there', async () => {
    const [known, fresh] = [await issue('cats:read'), await issue('cats:read')];
    await get('/read', known);
    const received = await Promise.all(Array.from({ length: 50 }, () => get('/read', madeUpKey())));
    expect(received.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(received.filter(({ status }) => status === 429)).toHaveLength(40);
    expect(storage.lookups).toBe(1);
    for (const key of [known, fresh]) expect(await get('/read', key)).toMatchObject({ status: 200 });
    expect(limiter.consumed).toEqual(Array(50).fill(undefined));
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR  '])('reads a key behind the scheme %j', async (scheme) => {
    const fields: [string, string][] = [
      ['Cookie', 'key=abc'],
      ['aUTHORIZATION', `${scheme} ${await issue('cats:read')}`],
    ];
    expect(await send(app, '/read', ...fields)).toMatchObject({ status: 200, body: 'shop' });
  });

  it.each<[string, Received, string[][]]>([
    [
      'no key',
      missing,
      [
        [''],
        ['Bearer'],
        ['bearer '],
        ['Basic dXNlcjpwYXNz'],
        ['Basic'],
        ['Digest a=b, c=d'],
        ['BearerX abc'],
        ['abc'],
      ],
    ],
    [
      'no single key',
      invalid,
      [
        ...[['Bearer a b'], ['Bearer a, Bearer b'], ['Bearer a,b'], ['Bearer "abc"'], ['Bearer a=b']],
        ...[['Bearer \tabc'], ['Bearer ü'], ['', 'Bearer abc'], ['Bearer abc', 'Basic abc']],
      ],
    ],
  ])('finds %s where there is none', async (_what, refusal, requests) => {
    for (const values of requests) {
      const fields = values.map((value): [string, string] => ['Authorization', value]);
      expect([values, await send(app, '/read', ...fields)]).toEqual([values, refusal]);
    }
  });
});
