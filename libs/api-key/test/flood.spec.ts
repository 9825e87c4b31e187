import 'reflect-metadata';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ApiKeyFilter } from '../src/filter/api-key-filter.js';
import { ApiKeyGuard } from '../src/guard/api-key.guard.js';
import { ApiKeyRefusedError } from '../src/guard/api-key-refused.error.js';
import { ApiKeyCache } from '../src/cache/api-key-cache.js';
import { ApiKeyFormat } from '../src/format/api-key-format.js';
import type { AuthFailureLimiter } from '../src/guard/auth-failure-limiter.js';
import { hasher, StubKeyStore } from '../src/testing/stub-key-store.js';

const MEGABYTE = 1024 * 1024;
const FLOOD = 120_000;
/** As many connections as send at the same time. */
const TOGETHER = 1_000;
const ALLOWED = 300;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** One address that may be refused so many times and no more. The limiter has its own tests, and its own cost. */
class Allowance implements AuthFailureLimiter {
  static readonly usedUp = new Error('429');
  private refusals = 0;

  charge(): Promise<void> {
    if (this.refusals === ALLOWED) return Promise.reject(Allowance.usedUp);
    this.refusals++;
    return Promise.resolve();
  }
  describe(): Promise<void> {
    return Promise.resolve();
  }

  clientOf(): string {
    return 'client';
  }
}

class Handlers {
  readonly handle = (): void => undefined;
}

it('120,000 made-up keys leave memory flat and the store alone, and a good key served', async () => {
  const store = new StubKeyStore();
  const nobody = (): void => undefined;
  const usage = { used: nobody, refused: nobody, banned: nobody };
  const filter = new ApiKeyFilter(store, { settings: { refreshGap: 1 } });
  const guard = new ApiKeyGuard(new ApiKeyCache(store, hasher, filter), usage, new Allowance());
  const request = new IncomingMessage(new Socket());
  const handler = new Handlers().handle;
  const context = new ExecutionContextHost([request, new ServerResponse(request)], Handlers, handler);
  const ask = async (key: string): Promise<unknown> => {
    request.rawHeaders = ['Authorization', `Bearer ${key}`];
    try {
      return await guard.canActivate(context);
    } catch (error) {
      return error;
    }
  };

  const good = ApiKeyFormat.generate('test');
  store.put(good);
  const outcomes = { accepted: 0, unauthorized: 0, limited: 0 };
  let before = 0;
  for (let sent = 0; sent < FLOOD; sent += TOGETHER) {
    // Memory is compared from where the code has been compiled and the caches have been filled.
    if (sent === 20_000) before = heap();
    if ((await ask(good)) === true) outcomes.accepted++;
    // By turns with a wrong checksum, and such as only the filter can tell from one that was issued.
    const made = Array.from({ length: TOGETHER }, (_, i) =>
      i % 2 === 0 ? `pet_live_${String(sent + i).padStart(38, '0')}` : ApiKeyFormat.generate('live'),
    );
    for (const outcome of await Promise.all(made.map(ask))) {
      if (outcome instanceof ApiKeyRefusedError) outcomes.unauthorized++;
      else if (outcome === Allowance.usedUp) outcomes.limited++;
    }
  }
  await filter.close();
  expect(heap() - before).toBeLessThan(2 * MEGABYTE);
  expect(outcomes).toEqual({
    accepted: FLOOD / TOGETHER,
    unauthorized: ALLOWED,
    limited: FLOOD - ALLOWED,
  });
  // The good key, now and then, and one small question for all keys that wait together.
  expect(store.lookups).toBeLessThan(100);
  expect(store.reads).toBeLessThanOrEqual(FLOOD / TOGETHER + 100);
}, 120_000);
