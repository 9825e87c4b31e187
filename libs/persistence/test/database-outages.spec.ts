import { describe, expect, it } from '@jest/globals';
import { PetName, StoreUnavailableError } from '@petstore/pet-domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { known } from '../src/testing/known.js';
import { crash } from './crash.js';
import { AT_ONCE, NAME, OutageFixture } from './outage-fixture.js';
import { everythingIsRefused, everythingWorks, LATEST, nobody, rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

const outage = new OutageFixture();

describe('a server that hangs', () => {
  it('costs one wait, then refuses at once, and is back as soon as it goes on', async () => {
    await outage.server.pause();
    try {
      await everythingIsRefused(outage.stores, LATEST);
      await everythingIsRefused(outage.stores, AT_ONCE);
      expect(outage.stores.database.poolStats().waiting).toBe(0);
    } finally {
      outage.server.resume();
    }
    await soon(() => everythingWorks(outage.stores), 1_000);
  });

  it('does not hold up the end', async () => {
    const other = await Stores.open({ url: outage.server.url, applicationName: NAME });
    await everythingWorks(other);
    await outage.server.pause();
    const asked = expect(other.pets.find(nobody)).rejects.toThrow(StoreUnavailableError);
    const since = performance.now();
    try {
      await other.close();
      expect(performance.now() - since).toBeLessThan(20_000);
    } finally {
      outage.server.resume();
    }
    await asked;
  });
});

describe('a server that refuses connections', () => {
  it('is refused at once, and is back as soon as it listens', async () => {
    outage.line.refuse();
    await everythingIsRefused(outage.stores, LATEST);
    await everythingIsRefused(outage.stores, AT_ONCE);
    await outage.line.restore();
    await soon(() => everythingWorks(outage.stores), 1_000);
  });
});

describe('a server that crashes and recovers', () => {
  it('keeps every acknowledged animal, adds none twice, and fails only as unavailable', async () => {
    const acknowledged = new Map<string, string>();
    let working = true;
    let tries = 0;
    const failures: unknown[] = [];
    const adder = async (who: number): Promise<void> => {
      while (working) {
        const name = known(PetName.parse(`Crash ${who} ${tries++}`));
        await outage.stores.pets.create({ ...rex, name }).then(
          ({ id }) => acknowledged.set(id, name),
          async (error: unknown) => {
            failures.push(error);
            await sleep(5);
          },
        );
      }
    };
    const adders = Array.from({ length: 16 }, (_, who) => adder(who));
    await sleep(200);
    await crash(outage.admin, NAME);
    await soon(() => outage.connectAdmin(), 10_000);
    await soon(() => everythingWorks(outage.stores), 5_000);
    const before = acknowledged.size;
    await sleep(200);
    working = false;
    await Promise.all(adders);
    // The first one may have been opened in the moment before the crash.
    await soon(() => outage.connectAdmin(), 10_000);
    expect(acknowledged.size).toBeGreaterThan(before);
    expect(failures.every((error) => error instanceof StoreUnavailableError)).toBe(true);
    const { rows } = await outage.admin.query<{ id: string; name: string }>(
      `select id, name from pets where name like 'Crash %'`,
    );
    const kept = new Map(rows.map(({ id, name }) => [id, name]));
    expect([...acknowledged].filter(([id, name]) => kept.get(id) !== name)).toEqual([]);
    expect(new Set(kept.values()).size).toBe(kept.size);
  });
});
