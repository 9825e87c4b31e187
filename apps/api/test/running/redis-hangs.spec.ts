import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { Database } from '@petstore/persistence';
import { readConfiguration } from '../../src/configuration/configuration.js';
import { startMigratedPostgres, startRedis, type TestPostgres, type TestRedis } from '@petstore/test-servers';
import { type Service, startService } from '../../src/startup/start-service.js';
import { until } from '../support/until.js';
import { WatchedLog } from '../support/watched-log.js';
import { REDIS_AVAILABLE, REDIS_UNAVAILABLE } from '../support/while-shared.js';

let redis: TestRedis;
let postgres: TestPostgres;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([
    startRedis(),
    startMigratedPostgres((settings) => Database.open(settings)),
  ]);
});
afterAll(async () => {
  redis.resume();
  await Promise.all([redis.stop(), postgres.stop()]);
});

const readyz = async (origin: string): Promise<unknown> => (await fetch(`${origin}/readyz`)).json();
const WITHOUT_REDIS = { status: 'degraded', reasons: ['redis'] };

/** Has Redis carry out a command, as an operator would. */
async function command(text: string, expected = '+OK'): Promise<void> {
  const socket = net.connect(redis.port, '127.0.0.1');
  socket.write(`${text}\r\n`);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(reply.toString()).toBe(`${expected}\r\n`);
}

describe('a service whose Redis is not as it should be at the start', () => {
  let log: WatchedLog;

  const start = (redisUrl: string): Promise<Service> => {
    log = new WatchedLog();
    const environment = { DATABASE_URL: postgres.url, API_KEY_PEPPER: 'pepper-of-the-tests', PORT: '0' };
    return startService(readConfiguration({ ...environment, REDIS_URL: redisUrl }), log.log);
  };
  const logged = (message: string): number => log.logged(message).length;

  it('serves when it hangs, says so, and uses it when it goes on', async () => {
    redis.pause();
    const started = await start(redis.url);
    expect(logged(REDIS_UNAVAILABLE)).toBe(1);
    expect(await readyz(started.origin)).toEqual(WITHOUT_REDIS);
    const { status, headers } = await fetch(`${started.origin}/v1/pets`);
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([401, '299']);
    expect(logged(REDIS_UNAVAILABLE)).toBe(1);
    redis.resume();
    // On a busy machine it can miss its time once more.
    await until(() => logged(REDIS_AVAILABLE) >= 1);
    await until(async () => JSON.stringify(await readyz(started.origin)) === '{"status":"ok"}');
    await started.close();
  });

  it('says that it refuses a database that there is not, and counts in no other', async () => {
    await command('FLUSHALL');
    const started = await start(`${redis.url}/16`);
    expect(await readyz(started.origin)).toEqual(WITHOUT_REDIS);
    expect(logged('redis refuses the limiter, using local limits')).toBe(1);
    expect(log.lines.join('')).toContain('ERR DB index is out of range');
    expect((await fetch(`${started.origin}/v1/pets`)).headers.get('x-ratelimit-remaining')).toBe('299');
    await command('DBSIZE', ':0');
    await started.close();
  });
});
