import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type NewPet, PetName, PetStatus, StoreUnavailableError } from '@petstore/pet-domain';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { Client } from 'pg';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';
import { changePet, removePet } from './pets.js';
import { rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let feed: Feed;
let other: Stores;
/** Sessions of others, with transactions of their own. */
let sessions: Client[];

beforeAll(async () => {
  feed = await Feed.start();
  other = await Stores.open({ url: feed.postgres.url });
});
afterAll(async () => {
  await other.close();
  await feed.stop();
});
beforeEach(async () => {
  await feed.reset();
  sessions = [];
});

/** A session that is closed by {@link ended}. */
async function session(): Promise<Client> {
  const client = new Client(feed.postgres.url);
  client.on('error', () => undefined);
  await client.connect();
  sessions.push(client);
  return client;
}
const ended = async (): Promise<void> => {
  for (const client of sessions.splice(0)) await client.end();
};
const add = async (count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => feed.stores.pets.create(rex)));
};
/** Adds an animal with its event, past the service, in the transaction of this session. */
const addIn = (client: Client, name: string): Promise<unknown> =>
  client.query(
    `with pet as (insert into pets (name, category_id, status) values ($1, 1, 'sold') returning id)
     insert into outbox (type, resource, data)
     select 'pet.created', 'pet', '{"pet":{"id":' || id || ',"name":"' || $1 || '","categoryId":1,"status":"sold"}}' from pet`,
    [name],
  );

describe('sequencing', () => {
  it('does nothing when there is nothing to do', async () => {
    expect(await feed.stores.sequencing.sequence(10)).toEqual({
      sequenced: 0,
      hasMore: false,
      isBusy: false,
    });
    expect(await feed.stores.sequencing.backlog()).toEqual({ rows: 0, oldestSeconds: 0 });
  });

  it('takes no more at a time than it is told, the oldest first, and says whether there may be more', async () => {
    await add(7);
    expect(await feed.stores.sequencing.backlog()).toMatchObject({ rows: 7 });
    const { sequencing } = feed.stores;
    expect(await sequencing.sequence(4)).toEqual({ sequenced: 4, hasMore: true, isBusy: false });
    expect(await sequencing.sequence(4)).toEqual({ sequenced: 3, hasMore: false, isBusy: false });
    const ids = (await feed.expectLaws()).map(({ data }) => BigInt(data.pet.id));
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('tells when something has happened, by the clock of the database', async () => {
    const before = await feed.admin.query<{ now: Date }>('select now()');
    await add(1);
    const [event] = await feed.expectLaws();
    expect(event?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const happened = new Date(event?.timestamp ?? '').getTime();
    expect(happened - (before.rows[0]?.now.getTime() ?? NaN)).toBeLessThan(10_000);
    expect(happened - (before.rows[0]?.now.getTime() ?? NaN)).toBeGreaterThanOrEqual(0);
  });

  it('makes JSON of whatever an animal may be called', async () => {
    const name = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 });
    const names = fc.sample(
      name.filter((text) => PetName.flaw(text) === undefined),
      200,
    ) as PetName[];
    const added = await Promise.all(names.map((each) => feed.stores.pets.create({ ...rex, name: each })));
    const told = new Map((await feed.expectLaws()).map(({ data: { pet } }) => [pet.id, pet.name]));
    expect(told).toEqual(new Map(added.map(({ id, name: given }) => [id, given])));
  });

  it('loses nothing of a writer that commits late with a small id, however often it looked meanwhile', async () => {
    const [slow, slower] = [await session(), await session()];
    for (const client of [slow, slower]) await client.query('begin');
    await addIn(slow, 'slow');
    await addIn(slower, 'slower');
    for (let round = 0; round < 3; round++) {
      await add(5);
      await feed.drain(2);
      await feed.drain();
    }
    await slow.query('commit');
    expect(await feed.drain()).toBe(1);
    await add(5);
    await feed.drain();
    await slower.query('commit');
    await feed.drain();
    const names = (await feed.expectLaws()).map(({ data }) => data.pet.name);
    expect([names[15], names[21]]).toEqual(['slow', 'slower']);
    await ended();
  });

  it('leaves the work to another sequencer that is at it, and takes over from one that dies', async () => {
    await add(5);
    const blocker = await session();
    await blocker.query('begin; lock table inventory in share mode');
    const first = feed.stores.sequencing.sequence(10);
    const blocked = "pg_stat_activity where wait_event_type = 'Lock' and query like '%outbox%'";
    await soon(async () => {
      expect(await feed.count(blocked)).toBe(1);
    });
    expect(await other.sequencing.sequence(10)).toEqual({ sequenced: 0, hasMore: false, isBusy: true });
    await feed.admin.query(`select pg_terminate_backend(pid) from ${blocked}`);
    await expect(first).rejects.toBeInstanceOf(StoreUnavailableError);
    await blocker.query('commit');
    expect(await other.sequencing.sequence(10)).toMatchObject({ sequenced: 5 });
    expect(await feed.expectLaws()).toHaveLength(5);
    await ended();
  });

  it('gives up when it has to wait for too long, and has then done nothing', async () => {
    await add(5);
    const blocker = await session();
    await blocker.query('begin; lock table events in share mode');
    await expect(feed.stores.sequencing.sequence(10)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect([await feed.count('events'), await feed.count('outbox')]).toEqual([0, 5]);
    await blocker.query('commit');
    expect(await feed.expectLaws()).toHaveLength(5);
    await ended();
  });
});

describe('the counters', () => {
  const status = fc.constantFrom(...PetStatus.ALL);
  const category = fc.integer({ min: 1, max: 3 }).map((id) => known(CategoryId.parse(String(id))));
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), status, category }),
    fc.record({ do: fc.constant('change' as const), at: fc.nat(20), status, category, rename: fc.boolean() }),
    fc.record({ do: fc.constant('remove' as const), at: fc.nat(20) }),
    fc.record({ do: fc.constant('sequence' as const), most: fc.integer({ min: 1, max: 4 }) }),
  );

  it('are always what the table says, whatever happens in whichever batches', async () => {
    const { pets, unitOfWork, sequencing, petInventory } = feed.stores;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        await feed.reset();
        const ids = [];
        for (const each of steps) {
          if (each.do === 'sequence') await sequencing.sequence(each.most);
          else if (each.do === 'add') {
            const pet: NewPet = { ...rex, status: each.status, categoryId: each.category };
            ids.push((await pets.create(pet)).id);
          } else {
            const id = ids[each.at % Math.max(1, ids.length)];
            if (id === undefined) continue;
            if (each.do === 'remove') await removePet(unitOfWork, id);
            else {
              const patch = { status: each.status, categoryId: each.category };
              const renamed = each.rename ? { ...patch, name: known(PetName.parse('Max')) } : patch;
              await changePet(unitOfWork, id, renamed).catch(() => undefined);
            }
          }
        }
        await feed.expectLaws();
        // Nothing is left of a category that nobody has any more.
        expect(await feed.count('inventory where animals = 0')).toBe(0);
      }),
      { numRuns: 25 },
    );
    expect(await petInventory.count(known(CategoryId.parse('99')))).toEqual({
      available: '0',
      pending: '0',
      sold: '0',
    });
  });
});
