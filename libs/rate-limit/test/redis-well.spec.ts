import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { addressSubject, createRateLimiter, type RateLimiter } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';
import { admittedOf, newKey, valueOf } from './requests.js';

const run = promisify(execFile);

/** A busy machine alone must not look like an outage. */
const PATIENT = { responseTimeoutMs: 2_000, probeDelayMs: 200 };

/** Another process of the service: it charges one key as often as it can and prints how often it might. */
const OTHER_PROCESS = `
const [library, ioredis, redisUrl, id, requests] = process.argv.slice(1);
const { createRateLimiter, Plan } = await import(library);
const { Redis } = await import(ioredis);
const redis = new Redis(redisUrl, { lazyConnect: true });
const limiter = await createRateLimiter({ redis, timeouts: { responseTimeoutMs: 10_000, probeDelayMs: 200 } });
let admitted = 0;
const subject = { id, limits: Plan.limitsOf('free'), bannable: true };
for (let left = Number(requests); left > 0; left -= 10) {
  const results = await Promise.all(Array.from({ length: 10 }, () => limiter.charge(subject)));
  admitted += results.filter((result) => result.admitted).length;
}
process.stdout.write(String(admitted));
await limiter.close();
`;

describe('a limiter on a Redis that is well', () => {
  let server: TestRedis;
  let admin: Redis;
  let limiter: RateLimiter;
  let changes: ChangeLog;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    changes = new ChangeLog();
    limiter = await createRateLimiter({ redis: redisAt(server.url), observer: changes, timeouts: PATIENT });
  });
  afterEach(async () => {
    await limiter.close();
    expect(changes.names).toEqual([]);
  });

  it('replaces values of other programs', async () => {
    const [list, text] = [newKey(), newKey()];
    await admin.lpush(valueOf(list), 'a list');
    await admin.set(valueOf(text), 'a text');
    for (const key of [list, text]) {
      expect(await admittedOf(limiter, key, 70)).toBe(60);
      expect(await admin.type(valueOf(key))).toBe('string');
    }
  });

  it('shares each limit exactly among processes', async () => {
    const ioredis = pathToFileURL(createRequire(import.meta.url).resolve('ioredis')).href;
    const library = new URL('../dist/index.js', import.meta.url).href;
    const args = [
      '--input-type=module',
      '-e',
      OTHER_PROCESS,
      library,
      ioredis,
      server.url,
      'key:processes',
      '300',
    ];
    const outputs = await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, args)));
    expect(outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0)).toBe(60);
  });

  it('shares on with another one when it forgets its scripts, and what both have counted when it forgets its counters', async () => {
    const other = await createRateLimiter({
      redis: redisAt(server.url),
      observer: changes,
      timeouts: PATIENT,
    });
    const both = [limiter, other];
    const key = newKey();
    for (let i = 0; i < 30; i++) {
      if (i % 7 === 0) await admin.script('FLUSH');
      expect(await admittedOf(both, key, 1)).toBe(2);
    }
    expect(await admittedOf(both, key, 1)).toBe(0);
    await admin.flushall();
    // Each learns of it with its next request, and tells what it has admitted.
    expect(await admittedOf(both, key, 1)).toBe(2);
    await sleep(100);
    expect(await admittedOf(both, key, 60)).toBe(0);
    expect(await limiter.peek(key)).toMatchObject({ minute: { used: 62 }, day: { used: 62 } });
    await other.close();
  });

  it('is not taken for absent by a process that is busy', async () => {
    const impatient = await createRateLimiter({ redis: redisAt(server.url), observer: changes });
    const key = newKey();
    await limiter.charge(key);
    const result = impatient.charge(key);
    // Past the end of this tick the call is on its way; then this process does something else for long.
    await new Promise(setImmediate);
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect((await result).minute.remaining).toBe(58);
    await impatient.close();
  });

  it('sends the decisions of one tick as one call', async () => {
    await admin.config('RESETSTAT');
    for (let tick = 0; tick < 5; tick++) {
      await Promise.all(Array.from({ length: 100 }, () => limiter.charge(newKey())));
    }
    expect(await admin.info('commandstats')).toContain('cmdstat_evalsha:calls=5,');
  });

  it('keeps little of a subject seen once, and for as long as it matters', async () => {
    const key = newKey();
    await limiter.charge(key);
    const address = addressSubject('192.0.2.1');
    for (let i = 0; i < 11; i++) {
      await limiter.charge(address);
      if (i === 9) expect(await admin.pttl(valueOf(address))).toBeLessThanOrEqual(3_600_000 + 432_000);
    }
    expect(await admin.memory('USAGE', valueOf(key))).toBeLessThanOrEqual(300);
    for (const subject of [key, address]) {
      expect(await admin.pttl(valueOf(subject))).toBeGreaterThan(86_400_000);
    }
  });
});
