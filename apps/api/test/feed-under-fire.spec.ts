import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { Client } from './client.js';
import { EventReader, replay, type ToldPet } from './event-reader.js';
import { MixedWriters } from './mixed-writers.js';
import { Program } from './program.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const WRITERS = 30;

let running: RunningService;
let folder: TemporaryFolder;
let key: string;
/** To an instance that lives on, and sequences nothing. */
let client: Client;
const programs: Program[] = [];

beforeAll(async () => {
  [running, folder] = await Promise.all([runService({ WORKER: 'off' }), temporaryFolder('feed')]);
  key = await running.issueKey();
  client = new Client(running.service.origin, key);
});
afterAll(async () => {
  client.close();
  for (const program of programs) await program.end('SIGKILL');
  await running.close();
  await folder.remove();
});

const start = (): Promise<Program> => {
  const program = new Program(folder.path, { ...running.environment, WORKER: 'on' });
  programs.push(program);
  return program.started();
};

/** Animals as they are, in the order of their ids. */
const stored = (): Promise<ToldPet[]> =>
  running.database.manager.query<ToldPet[]>(
    'select id, name, category_id as "categoryId", status from pets order by id',
  );
const byId = (pets: ReadonlyMap<string, ToldPet>): ToldPet[] =>
  [...pets.values()].sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));

/** Reads the feed until it is stopped, whatever dies meanwhile. */
function follow(reader: EventReader): { stop: () => Promise<void> } {
  const state = { stopped: false };
  const followed = (async () => {
    while (!state.stopped) await reader.follow().catch(() => sleep(20));
  })();
  return {
    stop: async () => {
      state.stopped = true;
      await followed;
    },
  };
}

describe('the feed', () => {
  it('of two instances is whole and in order, whoever is killed while 30 clients write', async () => {
    const pair = await Promise.all([start(), start()]);
    const writers = new MixedWriters(() => pair.map(({ origin }) => origin), key, WRITERS);
    await writers.wrote(300);
    const reader = new EventReader(() => client);
    await reader.synchronise();
    const following = follow(reader);
    for (const victims of ['first and database', 'database', 'second']) {
      for (const [at, name] of ['first', 'second'].entries()) {
        if (!victims.includes(name)) continue;
        await pair[at]?.end('SIGKILL');
        pair[at] = await start();
      }
      if (victims.includes('database')) {
        await running.postgres.kill();
        await running.postgres.start();
      }
      await writers.wrote(300);
    }
    await writers.finish();
    await until(
      async () =>
        (await running.database.manager.query<unknown[]>('select from outbox limit 1')).length === 0,
    );
    const last = await client.get('/v1/events?after=latest');
    await following.stop();
    while (await reader.follow());

    const pets = await stored();
    expect(reader.wasGone).toBe(false);
    expect(byId(reader.pets)).toEqual(pets);
    // From the beginning there are no gaps, no repetitions, and for each animal one change follows from another.
    const whole = new EventReader(() => client);
    whole.startAt('0');
    while (await whole.follow());
    expect(last.headers['link']).toContain(`after=${whole.events.length}>`);
    expect(byId(replay(whole.events))).toEqual(pets);
    const ids = new Set(pets.map(({ id }) => `/v1/pets/${id}`));
    for (const path of writers.kept) expect(ids).toContain(path);
    for (const path of writers.removed) expect(ids).not.toContain(path);
    const counts = { available: 0, pending: 0, sold: 0 };
    for (const { status } of pets) counts[status as keyof typeof counts]++;
    expect(JSON.parse((await client.get('/v1/store/inventory')).text)).toEqual(counts);
  }, 90_000);

  it('brings a reader that copies all animals while others write to what they are in the end', async () => {
    const writers = new MixedWriters(() => programs.slice(-1).map(({ origin }) => origin), key, 8);
    await writers.wrote(50);
    const reader = new EventReader(() => client);
    await reader.synchronise();
    const following = follow(reader);
    await writers.wrote(100);
    await writers.finish();
    const { headers } = await client.post('/v1/pets', { name: 'Last', categoryId: 1 });
    await until(() => reader.pets.has(String(headers.location).split('/').at(-1) ?? ''));
    await following.stop();
    expect(byId(reader.pets)).toEqual(await stored());
  });
});
