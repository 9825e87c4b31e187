import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { waitFor } from '@petstore/testing';
import { addOnce, changePet, removePet, rex } from './pet-actions.js';
import type { Stores } from './stores.js';
import { TestDatabase } from './test-database.js';
import { Wire } from './wire.js';

const db = new TestDatabase();
let wire: Wire;
/** Stores behind the wire. */
let remote: Stores;

beforeAll(async () => {
  wire = await Wire.to(db.postgres.url);
  remote = await db.open({ url: wire.url });
});
afterAll(() => {
  wire.refuse();
});
beforeEach(() => back(() => remote.pets.list({ limit: 1 })));

/** The first result, when the database is available again. */
const back = <T extends object>(work: () => Promise<T>) => waitFor(() => work().catch(() => undefined));
/** The work is refused as unavailable, and its session has ended: what it did is committed or undone. */
async function expectLost(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toBeInstanceOf(StoreUnavailableError);
  const others = "pg_stat_activity where backend_type = 'client backend' and state <> 'idle'";
  await waitFor(async () => (await db.count(`${others} and pid <> pg_backend_pid()`)) === 0);
}

const TOKEN = { caller: 'a', token: 't' };

/** Connections break before the server gets what was sent, before the client gets the response, or within a row of it. */
const CASES = [
  ['request', 0],
  ['response', 1],
  ['row', 1],
] as const;

describe.each(CASES)('a connection that breaks with the %s of a statement', (lost, kept) => {
  it('keeps nothing or all of a creation', async () => {
    wire.lose(lost, 'pets_insert');
    await expectLost(remote.pets.create(rex));
    expect(await db.expectLaws()).toHaveLength(kept);
  });

  it('sequences nothing of a batch, whatever the server got, and goes on with the next one', async () => {
    for (let n = 0; n < 20; n++) await db.stores.pets.create(rex);
    wire.lose(lost, 'delete from outbox');
    await expectLost(remote.sequencing.sequence(1_000));
    expect([await db.count('events'), await db.count('outbox')]).toEqual([0, 20]);
    await back(() => remote.sequencing.sequence(7));
    expect(await db.expectLaws()).toHaveLength(20);
  });
});

describe.each(CASES)('a connection that breaks with the %s of a commit', (lost, kept) => {
  it.each([
    ['change', changePet],
    ['removal', removePet],
  ] as const)('keeps a %s with its event, or neither', async (_what, change) => {
    const { id } = await db.stores.pets.create(rex);
    wire.loseCommit(lost);
    await expectLost(change(remote, id, { status: 'sold' }));
    expect(await db.expectLaws()).toHaveLength(1 + kept);
  });

  it('leaves all or nothing of a batch in the feed', async () => {
    for (let n = 0; n < 20; n++) await db.stores.pets.create(rex);
    wire.loseCommit(lost);
    await expectLost(remote.sequencing.sequence(1_000));
    expect([await db.count('events'), await db.count('outbox')]).toEqual(kept === 1 ? [20, 0] : [0, 20]);
    await back(() => remote.sequencing.sequence(7));
    expect(await db.expectLaws()).toHaveLength(20);
  });

  it('keeps a creation with its token and event, or nothing, and the repetition gets the same pet', async () => {
    wire.loseCommit(lost);
    await expectLost(addOnce(remote, rex, TOKEN));
    expect([await db.count('pets'), await db.count('idempotent_requests')]).toEqual([kept, kept]);
    const { isReplayed } = await back(() => addOnce(remote, rex, TOKEN));
    expect(isReplayed).toBe(kept === 1);
    expect(await db.expectLaws()).toHaveLength(1);
  });
});
