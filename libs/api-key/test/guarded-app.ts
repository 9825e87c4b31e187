import 'reflect-metadata';
import { type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  Get,
  HttpException,
  type INestApplication,
  Injectable,
  Module,
  type ModuleMetadata,
  type OnApplicationShutdown,
  Req,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { TestingModuleBuilder } from '@nestjs/testing';
import type { FoundKey, KeyLookup } from '../src/cache/api-key-cache.js';
import type { ApiKeyEvent, ApiKeyEventBus } from '../src/events/api-key-event-bus.js';
import { RequiresScope, WithoutKey } from '../src/guard/access.decorator.js';
import { ApiKeyGuard, AuthFailureLimiter, IS_OPEN, type IsOpen } from '../src/guard/api-key.guard.js';
import { Caller, callerOf } from '../src/guard/caller.js';
import { ScopeInterceptor } from '../src/guard/scope.interceptor.js';
import { InMemoryApiKeyStore } from '../src/testing/in-memory-api-key.store.js';
import { KeyStoreUnavailableError } from '../src/key/key.errors.js';
import { ApiKeyModule, type ApiKeyModuleOptions, type ApiKeyStore } from '../src/module/api-key.module.js';
import { definePlans } from '../src/plans/plan-registry.js';
import { defineScopes } from '../src/scopes/scope-registry.js';
import type { KeyHash } from '../src/secrets/key-signer.js';

export const PEPPER = 'a pepper of the tests';

export const plans = definePlans({ free: { perMinute: 60, perDay: 1_000 }, enterprise: 'own' });

export const scopes = defineScopes({
  'cats:read': { grants: 'lists cats', byDefault: true },
  'cats:write': { grants: 'adds cats' },
});

/** A store of keys that counts look-ups, can be unavailable, and can be closed, as a database is. */
@Injectable()
export class Storage implements ApiKeyStore, KeyLookup, OnApplicationShutdown {
  private readonly memory = new InMemoryApiKeyStore();
  readonly usage = this.memory.usage;
  readonly repository = this.memory.repository;
  readonly lookup: KeyLookup = this;
  lookups = 0;
  isUnavailable = false;
  usedWhenClosed: number | undefined;

  find(hash: KeyHash): Promise<FoundKey | undefined> {
    this.lookups++;
    if (this.isUnavailable) return Promise.reject(new KeyStoreUnavailableError('The store is unavailable.'));
    return this.memory.lookup.find(hash);
  }

  async onApplicationShutdown(): Promise<void> {
    const [overview] = await this.repository.list('2000-01-01');
    this.usedWhenClosed = overview?.days[0]?.requests ?? 0;
  }
}

@Module({ providers: [Storage], exports: [Storage] })
class StorageModule {}

/** Delivers at once, and counts subscriptions. */
export class LocalBus implements ApiKeyEventBus {
  subscriptions = 0;
  private listener: ((event: ApiKeyEvent) => void) | undefined;

  publish(event: ApiKeyEvent): Promise<void> {
    this.listener?.(event);
    return Promise.resolve();
  }
  subscribe(listener: (event: ApiKeyEvent) => void): Promise<void> {
    this.subscriptions++;
    this.listener = listener;
    return Promise.resolve();
  }
}

/** Takes down from whom what the guard refuses consumes, and refuses the eleventh request. */
export class CountingLimiter implements AuthFailureLimiter {
  /** Names of keys; `undefined` for the address. */
  consumed: (string | undefined)[] = [];
  described = 0;

  consume(request: IncomingMessage): Promise<void> {
    this.consumed.push(callerOf(request)?.name);
    return this.consumed.length > 10 ? Promise.reject(new HttpException('too many', 429)) : Promise.resolve();
  }
  peek(): void {
    this.described++;
  }
}

/** The name of the key that the guard has accepted. */
export const nameOf = (request: IncomingMessage): string => callerOf(request)?.name ?? 'no key';

@Controller()
export class Cats {
  @Get('read')
  @RequiresScope('cats:read')
  read(@Caller() caller?: Caller): string {
    return caller?.name ?? 'no key';
  }
  @Get('write')
  @RequiresScope('cats:write')
  write(@Req() request: IncomingMessage): string {
    return nameOf(request);
  }
  @Get('unmarked')
  unmarked(@Req() request: IncomingMessage): string {
    return nameOf(request);
  }
  @Get('open')
  @WithoutKey()
  open(): string {
    return 'open';
  }
}

/** What is behind the guard, and how it differs. */
export interface GuardedOptions extends Partial<ApiKeyModuleOptions> {
  readonly controllers: NonNullable<ModuleMetadata['controllers']>;
  readonly limiter?: CountingLimiter;
  readonly isOpen?: IsOpen;
}

/** An application behind the guard, as the README has it. */
export function guarded({ controllers, limiter, isOpen, ...options }: GuardedOptions): ModuleMetadata {
  const keys = ApiKeyModule.forRootAsync({
    imports: [StorageModule],
    inject: [Storage],
    useFactory: (store: Storage) => ({
      store,
      pepper: PEPPER,
      scopes,
      plans,
      mode: 'test' as const,
      ...options,
    }),
  });
  const limiters = limiter ? [{ provide: AuthFailureLimiter, useValue: limiter }] : [];
  const opening = isOpen ? [{ provide: IS_OPEN, useValue: isOpen }] : [];
  return {
    imports: [keys],
    controllers,
    providers: [
      ...limiters,
      ...opening,
      ApiKeyGuard,
      { provide: APP_GUARD, useExisting: ApiKeyGuard },
      { provide: APP_INTERCEPTOR, useClass: ScopeInterceptor },
    ],
  };
}

/** Listens on a free port. */
export async function start(testing: TestingModuleBuilder): Promise<INestApplication> {
  const module = await testing.compile();
  const app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

/** What was received for a request. */
export interface Received {
  readonly status: number;
  readonly body: string;
  readonly challenge: string | undefined;
}

/** Sends raw header fields, because fetch would put two of a kind together. */
export function send(
  app: INestApplication | undefined,
  path: string,
  ...headers: [string, string][]
): Promise<Received> {
  const { port } = (app?.getHttpServer() as Server).address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const raw = ['Host', 'localhost', ...headers.flat()];
    httpRequest({ port, host: '127.0.0.1', path, headers: raw, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        const challenge = response.headers['www-authenticate'];
        resolve({ status: response.statusCode ?? 0, body, challenge });
      });
    })
      .once('error', reject)
      .end();
  });
}

/** The header field that carries a key. */
export const bearer = (key: string): [string, string] => ['Authorization', `Bearer ${key}`];
