import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../client.js';
import { metricsOf } from '../metrics.js';
import { until } from '../until.js';
import { type AttackedService, type Battlefield, prepareBattlefield } from './attacked-service.js';
import { crowd, reset, send } from './hostile-client.js';
import { head } from './hostile-requests.js';

const DEATHS = 6;

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

/** From one packet to the next of the same client. */
const pause = (): Promise<void> => sleep(50);

let field: Battlefield;
let service: AttackedService;

beforeAll(async () => {
  field = await prepareBattlefield();
  service = await field.start({ WEB_CONCURRENCY: '2' });
});
afterAll(() => field.close());

/** Process ids of the workers that have come to serve so far, oldest first. */
const workers = (): number[] => service.logged('worker ready').map(({ worker }) => worker as number);

const processes = async (): Promise<number | undefined> =>
  (await metricsOf(service.management)).get('petstore_processes');

/** Asks on a connection of its own, so that the next worker in turn responds. */
async function ask(): Promise<number | undefined> {
  const client = new Client(service.origin, field.key);
  try {
    return (await client.get('/v1/pets?limit=1')).status;
  } catch {
    return undefined;
  } finally {
    client.close();
  }
}

describe('two processes', () => {
  it('live through CONNECT and resets, and serve everybody else all the while', async () => {
    const before = workers();
    const attack = Promise.all([
      crowd(service.port, 30, () => [send(CONNECT), reset, pause], 1),
      crowd(service.port, 30, () => [send(head('GET', '/livez') + CONNECT), reset, pause], 1),
    ]);
    const statuses: unknown[] = [];
    const over = new AbortController();
    void attack.finally(() => {
      over.abort();
    });
    while (!over.signal.aborted) statuses.push(await ask());
    await attack;
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(workers()).toEqual(before);
    expect(service.logged('worker died, replacing it')).toEqual([]);
  });

  it('serve and replace a worker, though each one is killed as soon as it serves', async () => {
    for (let death = 0; death < DEATHS; death++) {
      const serving = workers();
      process.kill(serving.at(-1) ?? 0, 'SIGKILL');
      await until(() => service.logged('worker died, replacing it').length > death);
      for (let request = 0; request < 10; request++) expect(await ask()).toBe(200);
      await until(() => workers().length > serving.length);
    }
    await until(async () => (await processes()) === 2);
  }, 90_000);
});
