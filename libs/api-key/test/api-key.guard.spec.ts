import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type INestApplication,
  Module,
  Post,
  Req,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import {
  addressSubject,
  createRateLimiter,
  type RateLimiter,
  RateLimitExceededError,
  HttpRateLimiter,
  setRateLimitHeaders,
} from '@petstore/rate-limit';
import { RequiresScope, WithoutKey } from '../src/guard/access.decorator.js';
import { ApiKeyFilter } from '../src/filter/api-key-filter.js';
import { ApiKeyGuard } from '../src/guard/api-key.guard.js';
import { ApiKeyRefusedError } from '../src/guard/api-key-refused.error.js';
import type { Caller } from '../src/key/caller.js';
import { callerOf } from '../src/guard/request-caller.js';
import type { KeyId } from '../src/key/key-id.js';
import { ApiKeyCache } from '../src/cache/api-key-cache.js';
import { KeyStoreUnavailableError } from '../src/key/key-store-unavailable.error.js';
import { ApiKeyFormat } from '../src/format/api-key-format.js';
import type { KeyUsageLog } from '../src/usage/key-usage-log.js';
import type { AuthFailureLimiter } from '../src/guard/auth-failure-limiter.js';
import { hasher, StubKeyStore } from '../src/testing/stub-key-store.js';

@Controller()
class Handlers {
  @Get('read')
  @RequiresScope('pets:read')
  read(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'nobody';
  }
  @Post('write')
  @RequiresScope('pets:write')
  write(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'nobody';
  }
  @Get('unmarked')
  unmarked(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'nobody';
  }
  @Get('open')
  @WithoutKey()
  open(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'nobody';
  }
}

@Controller('public')
@WithoutKey()
class PublicHandlers {
  @Get('open')
  open(): string {
    return 'open';
  }
  @Get('protected')
  @RequiresScope('pets:read')
  protected(): string {
    return 'protected';
  }
}

/** The limiter as the service puts it behind the guard, on ten requests a minute for an address. */
class Meter implements AuthFailureLimiter {
  private limiter: RateLimiter | undefined;
  readonly charged: (string | undefined)[] = [];
  private readonly address = addressSubject('192.0.2.1', { perMinute: 10, perDay: 1_000 });

  async reset(): Promise<void> {
    await this.limiter?.close();
    this.limiter = await createRateLimiter();
    this.charged.length = 0;
  }
  async charge(_: IncomingMessage, response: ServerResponse, caller: Caller | undefined): Promise<void> {
    this.charged.push(caller?.name);
    const subject = caller ? { id: caller.keyId, limits: caller.limits, bannable: true } : this.address;
    await new HttpRateLimiter(this.of()).charge(response, subject);
  }
  async describe(_: IncomingMessage, response: ServerResponse): Promise<void> {
    setRateLimitHeaders(response, await this.of().peek(this.address));
  }

  clientOf(): string {
    return 'client';
  }
  private of(): RateLimiter {
    if (this.limiter === undefined) throw new Error('reset() comes first');
    return this.limiter;
  }
}

class Tally implements KeyUsageLog {
  readonly keys: KeyId[] = [];
  used = (keyId: KeyId): void => void this.keys.push(keyId);
  refused = (): void => undefined;
  banned = (): void => undefined;
}

/** As much of the service's error filter as these tests need. */
@Catch()
class Filter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    const [status, code] =
      error instanceof ApiKeyRefusedError
        ? [error.getStatus(), error.code]
        : error instanceof KeyStoreUnavailableError
          ? [503, 'service_unavailable']
          : error instanceof RateLimitExceededError
            ? [429, error.result.refusal]
            : [500, String(error)];
    if (error instanceof ApiKeyRefusedError) response.setHeader('WWW-Authenticate', error.challenge);
    response.writeHead(status).end(code);
  }
}

const store = new StubKeyStore();
/** Milliseconds between two refreshes of the filter. */
const REFRESH_GAP = 20;

const filter = new ApiKeyFilter(store, { settings: { refreshGap: REFRESH_GAP } });
const meter = new Meter();
let usage: Tally;
let app: INestApplication;
let port: number;

@Module({
  controllers: [Handlers, PublicHandlers],
  providers: [
    {
      provide: APP_GUARD,
      useFactory: () =>
        new ApiKeyGuard(
          new ApiKeyCache(store, hasher, filter),
          {
            used: (id) => {
              usage.used(id);
            },
            refused: () => undefined,
            banned: () => undefined,
          },
          meter,
          'petstore',
        ),
    },
  ],
})
class TestModule {}

beforeAll(async () => {
  app = await NestFactory.create(TestModule, { logger: false });
  app.useGlobalFilters(new Filter());
  await app.listen(0, '127.0.0.1');
  ({ port } = (app.getHttpServer() as Server).address() as AddressInfo);
});
afterAll(async () => {
  await app.close();
  await filter.close();
});
beforeEach(async () => {
  usage = new Tally();
  store.away = false;
  store.lookups = 0;
  store.gate = Promise.resolve();
  await meter.reset();
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly challenge: string | undefined;
  readonly limit: string | undefined;
  readonly remaining: string | undefined;
}

/** Raw header fields, because fetch would put two of a kind together. */
function send(method: string, path: string, ...headers: [string, string][]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const raw = ['Host', 'localhost', ...headers.flat()];
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers: raw, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        const { headers: received, statusCode = 0 } = response;
        resolve({
          status: statusCode,
          body,
          challenge: received['www-authenticate'],
          limit: received['x-ratelimit-limit'] as string | undefined,
          remaining: received['x-ratelimit-remaining'] as string | undefined,
        });
      });
    });
    request.end();
  });
}

const bearer = (key: string): [string, string] => ['Authorization', `Bearer ${key}`];
const put = (scopes?: readonly string[]): string => {
  const key = ApiKeyFormat.generate('test');
  store.put(key, undefined, hasher.hash(key), scopes);
  return key;
};

const MISSING = { status: 401, body: 'missing_api_key', challenge: 'Bearer realm="petstore"' };
const INVALID = {
  status: 401,
  body: 'invalid_api_key',
  challenge: 'Bearer realm="petstore", error="invalid_token"',
};

describe('the guard', () => {
  it.each(['/read', '/unmarked', '/public/protected'])('asks for a key on %s', async (path) => {
    expect(await send('GET', path)).toMatchObject(MISSING);
    expect(await send('GET', path, bearer(put()))).toMatchObject({ status: 200 });
  });

  it.each(['/open', '/public/open'])('lets everybody pass on %s', async (path) => {
    expect(await send('GET', path)).toMatchObject({ status: 200 });
    expect(await send('GET', path, bearer('nonsense'))).toMatchObject({ status: 200 });
    expect(meter.charged).toEqual([]);
  });

  it('tells the handler whose key it is, and takes down the use', async () => {
    const key = put();
    for (let i = 0; i < 3; i++) {
      expect(await send('GET', '/unmarked', bearer(key))).toMatchObject({ status: 200, body: key });
    }
    const id = store.keys.get(hasher.hash(key))?.caller.keyId;
    expect(usage.keys).toEqual([id, id, id]);
    expect(store.lookups).toBe(1);
  });

  it('accepts a key whose scopes nothing here defines, and refuses what they do not give', async () => {
    const key = put(['orders:manage']);
    expect(await send('GET', '/unmarked', bearer(key))).toMatchObject({ status: 200 });
    expect(await send('GET', '/read', bearer(key))).toMatchObject({
      status: 403,
      body: 'insufficient_scope',
    });
  });

  it.each<[string, [string, string][], object]>([
    ['no key', [], MISSING],
    ['an empty field', [['Authorization', '']], MISSING],
    ['another scheme', [['Authorization', 'Basic YTpi']], MISSING],
    ['a key in another field', [['X-Api-Key', 'abc']], MISSING],
    ['an unknown key', [bearer(ApiKeyFormat.generate('test'))], INVALID],
    ['a mistyped key', [bearer(ApiKeyFormat.generate('test').replace(/.$/, '~'))], INVALID],
    ['a key with a space', [bearer('a b')], INVALID],
    ['an endless key', [bearer('x'.repeat(5_000))], INVALID],
  ])('refuses %s with the headers of the address', async (_, headers, refusal) => {
    expect(await send('GET', '/read', ...headers)).toMatchObject({
      ...refusal,
      limit: '10',
      remaining: '9',
    });
    expect(meter.charged).toEqual([undefined]);
  });

  it('refuses two Authorization fields, even with a good key in both', async () => {
    const key = put();
    expect(await send('GET', '/read', bearer(key), bearer(key))).toMatchObject(INVALID);
  });

  it('does not look up a mistyped key', async () => {
    await send('GET', '/read', bearer(ApiKeyFormat.generate('test').replace(/.$/, '~')));
    expect(store.lookups).toBe(0);
  });

  it('refuses a key without the scope, and charges the key', async () => {
    const key = put(['pets:read']);
    expect(await send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
    expect(await send('POST', '/write', bearer(key))).toMatchObject({
      status: 403,
      body: 'insufficient_scope',
      challenge: 'Bearer error="insufficient_scope", scope="pets:write", realm="petstore"',
      limit: '60',
      remaining: '59',
    });
    expect(meter.charged).toEqual([key]);
  });

  it('answers that it cannot tell while the store is away, and charges nobody', async () => {
    const key = put();
    store.away = true;
    expect(await send('GET', '/read', bearer(key))).toMatchObject({
      status: 503,
      limit: '10',
      remaining: '10',
    });
    expect(meter.charged).toEqual([]);
    store.away = false;
    expect(await send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
  });

  it('does not let requests queue up behind a store that hangs', async () => {
    const keys = Array.from({ length: 36 }, () => put());
    await filter.refresh();
    let open: () => void = () => undefined;
    store.gate = new Promise((resolve) => (open = resolve));
    const first = keys.slice(0, 16).map((key) => send('GET', '/read', bearer(key)));
    while (store.lookups < 16) await new Promise((resolve) => setTimeout(resolve, 5));
    const late = keys.slice(16).map((key) => send('GET', '/read', bearer(key)));
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    open();
    expect(new Set((await Promise.all(first)).map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of await Promise.all(late)) expect(answer).toMatchObject({ status: 503, limit: '10' });
    expect(store.lookups).toBe(16);
  });

  it('goes on accepting what it remembers while the store is away', async () => {
    const key = put();
    await send('GET', '/read', bearer(key));
    store.away = true;
    expect(await send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
  });

  it('looks up a new key once for many requests at the same time', async () => {
    const key = put();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send('GET', '/read', bearer(key))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(store.lookups).toBe(1);
  });

  it('never looks made-up keys up, and refuses an address that sends too many', async () => {
    const made = Array.from({ length: 200 }, () => ApiKeyFormat.generate('test'));
    const { reads } = store;
    const began = performance.now();
    const answers = await Promise.all(made.map((key) => send('GET', '/read', bearer(key))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(190);
    expect(store.lookups).toBe(0);
    expect(store.reads - reads).toBeLessThanOrEqual((performance.now() - began) / REFRESH_GAP + 2);
  });

  describe('from an address that has used up its refusals', () => {
    const exhaust = async (): Promise<void> => {
      for (let i = 0; i < 11; i++) await send('GET', '/read');
      expect(await send('GET', '/read')).toMatchObject({ status: 429 });
    };

    it('accepts a remembered key', async () => {
      const key = put();
      await send('GET', '/read', bearer(key));
      await exhaust();
      expect(await send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
    });

    it('accepts a key on its first use', async () => {
      const key = put();
      await filter.refresh();
      await exhaust();
      const { reads } = store;
      expect(await send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
      expect(store.reads).toBe(reads);
    });

    it('accepts a key that was issued a moment ago, without any event of it', async () => {
      await exhaust();
      expect(await send('GET', '/read', bearer(put()))).toMatchObject({ status: 200 });
      expect(meter.charged).toEqual(Array(12).fill(undefined));
    });
  });
});
