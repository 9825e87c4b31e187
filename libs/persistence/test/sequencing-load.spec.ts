import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventSequencer } from '@petstore/event-feed';
import { type PetId, PetName, StoreUnavailableError } from '@petstore/pet-domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';
import { changePet } from './pets.js';
import { rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let feed: Feed;
let other: Stores;

beforeAll(async () => {
  feed = await Feed.start();
  other = await Stores.open({ url: feed.postgres.url });
});
afterAll(async () => {
  await other.close();
  await feed.stop();
});
beforeEach(() => feed.reset());

/** Writes down so many animals with their events at once, as nobody has sequenced for long. */
const fill = (count: number): Promise<unknown> =>
  feed.admin.query(
    `with pet as (
       insert into pets (name, category_id, status) select 'Rex', 1 + n % 50, 'sold' from generate_series(1, $1::int) n
       returning id, category_id
     )
     insert into outbox (type, resource, data)
     select 'pet.created', 'pet', '{"pet":{"id":' || id || ',"name":"Rex","categoryId":' || category_id || ',"status":"sold"}}'
     from pet order by id`,
    [count],
  );

/** As a client does that gets a 503: a busy machine keeps the writers of one animal waiting for too long. */
async function untilCarriedOut(change: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await change();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }
}

describe('two sequencers', () => {
  it('number what 20 writers do to 8 animals without a gap, each animal in the order of its changes', async () => {
    const lines: string[] = [];
    const log = { info: () => undefined, warn: (_: object, message: string) => lines.push(message) };
    const instances = [feed.stores, other];
    const sequencers = instances.map((it) => new EventSequencer(it.sequencing, it.eventSignal, log));
    for (const sequencer of sequencers) sequencer.start();
    const ids: PetId[] = [];
    for (let n = 0; n < 8; n++) ids.push((await feed.stores.pets.create(rex)).id);
    let left = 1_000;
    const write = async (writer: number): Promise<void> => {
      const { unitOfWork } = known(instances[writer % 2]);
      for (let n = left--; n > 0; n = left--) {
        const name = known(PetName.parse(`${writer} ${n}`));
        await untilCarriedOut(() => changePet(unitOfWork, known(ids[n % ids.length]), { name }));
      }
    };
    try {
      await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)));
      await soon(async () => {
        expect(await feed.count('outbox')).toBe(0);
      });
    } finally {
      for (const sequencer of sequencers) await sequencer.stop();
    }
    expect(lines).toEqual([]);
    expect(await feed.expectLaws()).toHaveLength(1_008);
  });
});

describe('a backlog of 110,000 events', () => {
  it('is worked off, though sessions have planned when there was none', async () => {
    for (let n = 0; n < 8; n++) {
      await feed.stores.pets.create(rex);
      await feed.drain();
    }
    await fill(110_000);
    expect(await feed.stores.sequencing.backlog()).toMatchObject({ rows: 100_000 });
    expect(await feed.drain()).toBe(110_000);
    const { rows } = await feed.admin.query(
      'select min(position)::int, max(position)::int, count(*)::int from events where position > 8',
    );
    expect(rows).toEqual([{ min: 9, max: 110_008, count: 110_000 }]);
    await feed.expectRightInventory();
  });
});

describe('a session that holds an old snapshot', () => {
  /** Entries of the outbox's index that were looked at by transactions that have reported so. */
  const looked = async (): Promise<number> => {
    const { rows } = await feed.admin.query<{ n: string }>(
      "select idx_tup_read as n from pg_stat_user_indexes where indexrelname = 'outbox_pkey'",
    );
    return Number(rows[0]?.n);
  };

  it('does not make every look walk past all that was removed since', async () => {
    const dump = new Client(feed.postgres.url);
    await dump.connect();
    await dump.query('begin isolation level repeatable read read only');
    await dump.query('select from pets limit 1');
    await fill(20_000);
    await feed.drain();
    await feed.drain();
    // Sessions report what they have read once a second at the most, at the end of a transaction.
    await sleep(1_100);
    await feed.drain();
    const before = await looked();
    expect(before).toBeGreaterThan(20_000);
    for (let n = 0; n < 20; n++) {
      await feed.stores.pets.create(rex);
      await feed.drain();
    }
    await sleep(1_100);
    await feed.drain();
    expect((await looked()) - before).toBeLessThan(20_000);
    await dump.end();
    await feed.expectRightInventory();
  });
});
