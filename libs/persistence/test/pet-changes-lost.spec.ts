import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { addOnce } from './add-once.js';
import { Feed } from './feed.js';
import { type LosingWire, losingWire } from './losing-wire.js';
import { changePet, removePet } from './pets.js';
import { rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let feed: Feed;
let wire: LosingWire;
let broken: Stores;

beforeAll(async () => {
  feed = await Feed.start();
  wire = await losingWire(feed.postgres.url);
  broken = await Stores.open({ url: wire.url });
});
afterAll(async () => {
  await broken.close();
  wire.close();
  await feed.stop();
});
beforeEach(async () => {
  await feed.reset();
  await soon(() => broken.pets.list({ limit: 1 }));
});

/** All sessions that were cut have ended: what they were at is committed or undone. */
const settled = (): Promise<void> =>
  soon(async () => {
    expect(
      await feed.count("pg_stat_activity where backend_type = 'client backend' and state <> 'idle'"),
    ).toBe(1);
  });

describe.each([
  ['question', 'nothing'],
  ['answer', 'everything'],
] as const)('a connection that breaks with the %s of a statement', (what, kept) => {
  const isKept = kept === 'everything';

  it(`keeps ${kept} of a creation`, async () => {
    wire.loseStatement('pets_insert', what);
    await expect(broken.pets.create(rex)).rejects.toBeInstanceOf(StoreUnavailableError);
    await settled();
    expect((await feed.expectLaws()).map(({ type }) => type)).toEqual(isKept ? ['pet.created'] : []);
  });

  it('sequences nothing or everything of a batch, and goes on with the next one', async () => {
    for (let n = 0; n < 20; n++) await feed.stores.pets.create(rex);
    wire.loseStatement('delete from outbox', what);
    await expect(broken.sequencing.sequence(1_000)).rejects.toBeInstanceOf(StoreUnavailableError);
    await settled();
    // Whatever the server heard of: without its commit nothing of it holds.
    expect([await feed.count('events'), await feed.count('outbox')]).toEqual([0, 20]);
    await soon(() => broken.sequencing.sequence(7));
    expect(await feed.expectLaws()).toHaveLength(20);
  });
});

describe('a connection that breaks at the commit', () => {
  it.each([
    ['commit', 'change', 0],
    ['answer', 'change', 1],
    ['commit', 'removal', 0],
    ['answer', 'removal', 1],
  ] as const)('while the %s of a %s is on its way keeps its event with it', async (what, kind, kept) => {
    const { id } = await feed.stores.pets.create(rex);
    wire.lose(what);
    const { unitOfWork } = broken;
    const work =
      kind === 'change' ? changePet(unitOfWork, id, { status: 'sold' }) : removePet(unitOfWork, id);
    await expect(work).rejects.toBeInstanceOf(StoreUnavailableError);
    await settled();
    expect(await feed.expectLaws()).toHaveLength(1 + kept);
  });

  it.each([
    ['commit', 0],
    ['answer', 20],
  ] as const)(
    'while the %s of a batch is on its way leaves all or nothing in the feed',
    async (what, sequenced) => {
      for (let n = 0; n < 20; n++) await feed.stores.pets.create(rex);
      wire.lose(what);
      await expect(broken.sequencing.sequence(1_000)).rejects.toBeInstanceOf(StoreUnavailableError);
      await settled();
      expect([await feed.count('events'), await feed.count('outbox')]).toEqual([sequenced, 20 - sequenced]);
      await soon(() => broken.sequencing.sequence(7));
      expect(await feed.expectLaws()).toHaveLength(20);
    },
  );

  it.each([
    ['commit', 0],
    ['answer', 1],
  ] as const)('while the %s of a creation is on its way keeps its event with it', async (what, kept) => {
    wire.lose(what);
    await expect(addOnce(broken, rex, { caller: 'a', token: what })).rejects.toBeInstanceOf(
      StoreUnavailableError,
    );
    await settled();
    expect(await feed.expectLaws()).toHaveLength(kept);
    await soon(() => addOnce(broken, rex, { caller: 'a', token: what }));
    expect(await feed.expectLaws()).toHaveLength(1);
  });
});
