import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
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
import { ApiKeyGuard } from '../src/guard/api-key.guard.js';
import { ApiKeyRefusedError } from '../src/guard/api-key-refused.error.js';
import type { Caller } from '../src/key/caller.js';
import { callerOf } from '../src/guard/request-caller.js';
import type { KeyId } from '../src/key/key-id.js';
import { ApiKeyCache } from '../src/cache/api-key-cache.js';
import { KeyStoreUnavailableError } from '../src/key/key-store-unavailable.error.js';
import type { KeyUsageLog } from '../src/usage/key-usage-log.js';
import type { AuthFailureLimiter } from '../src/guard/auth-failure-limiter.js';
import { signer, StubKeyStore } from '../src/testing/stub-key-store.js';

@Controller()
class Handlers {
  @Get('read')
  @RequiresScope('pets:read')
  read(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'no key';
  }
  @Post('write')
  @RequiresScope('pets:write')
  write(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'no key';
  }
  @Get('unmarked')
  unmarked(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'no key';
  }
  @Get('open')
  @WithoutKey()
  open(@Req() request: IncomingMessage): string {
    return callerOf(request)?.name ?? 'no key';
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
class CountedLimiter implements AuthFailureLimiter {
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
  private of(): RateLimiter {
    if (this.limiter === undefined) throw new Error('reset() comes first');
    return this.limiter;
  }
}

class UsedKeys implements KeyUsageLog {
  readonly keys: KeyId[] = [];
  used = (keyId: KeyId): void => void this.keys.push(keyId);
  refused = (): void => undefined;
  banned = (): void => undefined;
}

/** As much of the service's error filter as these tests need. */
@Catch()
class ErrorFilter implements ExceptionFilter {
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

@Module({})
class GuardedModule {}

/** What was received for a request. */
interface Received {
  readonly status: number;
  readonly body: string;
  readonly challenge: string | undefined;
  readonly limit: string | undefined;
  readonly remaining: string | undefined;
}

/** An application behind the guard, over HTTP; with a fresh limiter and a store that works for each test of a file. */
export class GuardedApp {
  readonly store = new StubKeyStore();
  readonly limiter = new CountedLimiter();
  usage = new UsedKeys();
  private app: INestApplication | undefined;
  private port = 0;

  constructor() {
    beforeAll(() => this.open());
    afterAll(() => this.app?.close());
    beforeEach(async () => {
      this.usage = new UsedKeys();
      this.store.unavailable = false;
      this.store.lookups = 0;
      this.store.gate = Promise.resolve();
      await this.limiter.reset();
    });
  }

  /** Raw header fields, because fetch would put two of a kind together. */
  send(method: string, path: string, ...headers: [string, string][]): Promise<Received> {
    return new Promise((resolve, reject) => {
      const raw = ['Host', 'localhost', ...headers.flat()];
      const { port } = this;
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

  /** Puts a new key into the store. @returns its secret */
  put(scopes?: readonly string[]): string {
    return this.store.put(undefined, scopes).text;
  }

  private async open(): Promise<void> {
    const usage: KeyUsageLog = {
      used: (id) => {
        this.usage.used(id);
      },
      refused: () => undefined,
      banned: () => undefined,
    };
    const cache = new ApiKeyCache(this.store);
    const useFactory = (): ApiKeyGuard => new ApiKeyGuard(signer, cache, usage, this.limiter, 'petstore');
    const module = {
      module: GuardedModule,
      controllers: [Handlers, PublicHandlers],
      providers: [{ provide: APP_GUARD, useFactory }],
    };
    this.app = await NestFactory.create(module, { logger: false });
    this.app.useGlobalFilters(new ErrorFilter());
    await this.app.listen(0, '127.0.0.1');
    ({ port: this.port } = (this.app.getHttpServer() as Server).address() as AddressInfo);
  }
}

/** The header field that carries a key. */
export const bearer = (key: string): [string, string] => ['Authorization', `Bearer ${key}`];
