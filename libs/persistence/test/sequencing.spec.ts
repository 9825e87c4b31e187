import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EventSequencer } from '@petstore/event-feed';
import { anyCharacter } from '@petstore/arbitraries';
import { type PetId, PetName, StoreUnavailableError } from '@petstore/pet-domain';
import { waitFor } from '@petstore/testing';
import fc from 'fast-check';
import type { Client } from 'pg';
import { known } from '../src/testing/known.js';
import { changePet, nameOf, rex } from './pet-actions.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();

const create = async (count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => db.stores.pets.create(rex)));
};
/** Adds an animal with its event, past the service, in the transaction of this session. */
const createIn = (session: Client, name: string): Promise<unknown> =>
  session.query(
    `with pet as (insert into pets (name, category_id, status) values ($1, 1, 'sold') returning id)
     insert into outbox (type, resource, data)
     select 'pet.created', 'pet', '{"pet":{"id":' || id || ',"name":"' || $1 || '","categoryId":1,"status":"sold"}}' from pet`,
    [name],
  );
/** Adds so many animals with their events at once, as if no process had sequenced for long. */
const fill = (count: number): Promise<unknown> =>
  db.query(
    `with pet as (
       insert into pets (name, category_id, status) select 'Rex', 1 + n % 50, 'sold' from generate_series(1, $1::int) n
       returning id, category_id
     )
     insert into outbox (type, resource, data)
     select 'pet.created', 'pet', '{"pet":{"id":' || id || ',"name":"Rex","categoryId":' || category_id || ',"status":"sold"}}'
     from pet order by id`,
    [count],
  );

describe('sequencing', () => {
  it('takes no more at a time than it is told, the oldest first, and says whether there may be more', async () => {
    const { sequencing } = db.stores;
    await create(7);
    expect(await sequencing.backlog()).toMatchObject({ rows: 7 });
    expect(await sequencing.sequence(4)).toEqual({ sequenced: 4, hasMore: true, isBusy: false });
    expect(await sequencing.sequence(4)).toEqual({ sequenced: 3, hasMore: false, isBusy: false });
    expect(await sequencing.sequence(4)).toEqual({ sequenced: 0, hasMore: false, isBusy: false });
    expect(await sequencing.backlog()).toEqual({ rows: 0, oldestSeconds: 0 });
    const ids = (await db.expectLaws()).map(({ data }) => Number(data.pet.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    // Emptied by other means, the table gives out smaller ids again.
    await db.query('truncate outbox restart identity');
    await create(1);
    expect(await sequencing.backlog()).toMatchObject({ rows: 1 });
  });

  it('makes JSON of whatever a pet may be called', async () => {
    const name = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 });
    const names = fc.sample(
      name.filter((text) => PetName.parse(text) !== undefined),
      200,
    ) as PetName[];
    const created = await Promise.all(names.map((each) => db.stores.pets.create({ ...rex, name: each })));
    const inEvents = new Map((await db.expectLaws()).map(({ data: { pet } }) => [pet.id, pet.name]));
    expect(inEvents).toEqual(new Map(created.map((pet) => [pet.id, pet.name])));
  });

  it('loses nothing of a writer that commits late with a small id, however often it looked meanwhile', async () => {
    const [slow, slower] = [await db.session(), await db.session()];
    for (const session of [slow, slower]) await session.query('begin');
    await createIn(slow, 'slow');
    await createIn(slower, 'slower');
    for (let round = 0; round < 3; round++) {
      await create(5);
      await db.drain(2);
      await db.drain();
    }
    await slow.query('commit');
    expect(await db.drain()).toBe(1);
    await create(5);
    await db.drain();
    await slower.query('commit');
    await db.drain();
    const names = (await db.expectLaws()).map(({ data }) => data.pet.name);
    expect([names[15], names[21]]).toEqual(['slow', 'slower']);
  });

  it('leaves the work to another sequencer that is at it, and takes over from one that dies', async () => {
    const other = await db.open();
    await create(5);
    await db.query('begin; lock table inventory in share mode');
    const first = db.stores.sequencing.sequence(10);
    const failed = expect(first).rejects.toBeInstanceOf(StoreUnavailableError);
    await db.untilBlocked();
    expect(await other.sequencing.sequence(10)).toEqual({ sequenced: 0, hasMore: false, isBusy: true });
    await db.query('select pg_terminate_backend(pid) from pg_locks where not granted');
    await failed;
    await db.query('commit');
    expect(await other.sequencing.sequence(10)).toMatchObject({ sequenced: 5 });
    expect(await db.expectLaws()).toHaveLength(5);
  });
});

describe('two sequencers', () => {
  it('number what 20 writers do to 8 pets without a gap, each pet in the order of its changes', async () => {
    const instances = [db.stores, await db.open()];
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (_: object, message: string) => warnings.push(message) };
    const sequencers = instances.map((it) => new EventSequencer(it.sequencing, it.eventNotifier, log));
    for (const sequencer of sequencers) sequencer.start();
    const ids: PetId[] = [];
    for (let n = 0; n < 8; n++) ids.push((await db.stores.pets.create(rex)).id);
    let left = 200;
    const write = async (writer: number): Promise<void> => {
      for (let n = left--; n > 0; n = left--) {
        const patch = { name: nameOf(`${writer} ${n}`) };
        await changePet(known(instances[writer % 2]), known(ids[n % ids.length]), patch);
      }
    };
    try {
      await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)));
      await waitFor(async () => (await db.count('outbox')) === 0);
    } finally {
      for (const sequencer of sequencers) await sequencer.stop();
    }
    expect(warnings).toEqual([]);
    expect(await db.expectLaws()).toHaveLength(208);
  });
});

it('does not walk past all that was removed while a session holds an old snapshot', async () => {
  /** Entries of the outbox's index that were looked at by transactions that have reported so. */
  const looked = async (): Promise<number> => {
    // Sessions report what they have read once a second at the most, at the end of a transaction.
    await sleep(1_100);
    await db.drain();
    const [row] = await db.query<{ n: number }>(
      `select idx_tup_read::int as n from pg_stat_user_indexes where indexrelname = 'outbox_pkey'`,
    );
    return row?.n ?? NaN;
  };
  const dump = await db.session();
  await dump.query('begin isolation level repeatable read read only');
  await dump.query('select from pets limit 1');
  await fill(5_000);
  await db.drain();
  await db.drain();
  const before = await looked();
  for (let n = 0; n < 20; n++) {
    await create(1);
    await db.drain();
  }
  expect((await looked()) - before).toBeLessThan(5_000);
  expect(before).toBeGreaterThan(5_000);
  await db.expectRightInventory();
});
