import { describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { addOnce } from './add-once.js';
import { NAME, OutageFixture } from './outage-fixture.js';
import { everythingWorks, LATEST, nobody, rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

const outage = new OutageFixture();

describe('connections that are ended', () => {
  it('are made anew for the next question', async () => {
    await outage.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [NAME],
    );
    await soon(() => everythingWorks(outage.stores), 1_000);
  });

  it('after the primary has become a standby lead to the new primary', async () => {
    await outage.admin.query('alter database postgres set default_transaction_read_only = on');
    await outage.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [NAME],
    );
    await soon(() => outage.stores.pets.find(nobody));
    await expect(outage.stores.pets.create(rex)).rejects.toThrow(StoreUnavailableError);
    const once = (token: string): Promise<unknown> =>
      addOnce(outage.stores, rex, { caller: 'standby', token });
    await expect(once('t1')).rejects.toThrow(StoreUnavailableError);
    await outage.admin.query('set default_transaction_read_only = off');
    await outage.admin.query('alter database postgres reset default_transaction_read_only');
    // These connections would go on refusing; none of them is used again.
    expect(await outage.stores.pets.create(rex)).toMatchObject(rex);
    expect(await once('t1')).toMatchObject({ kind: 'carried_out' });
  });
});

describe('a server that takes no more connections', () => {
  it('goes on with those there are, and takes more when it can', async () => {
    await outage.admin.query(`
      create role few login superuser password 'few' connection limit 2;
      alter role few nosuperuser;
      grant all on all tables in schema public to few`);
    const url = new URL(outage.server.url);
    url.username = url.password = 'few';
    const limited = await Stores.open({ url: url.href, applicationName: NAME });
    await limited.pets.find(nobody);
    const since = performance.now();
    await expect(limited.pets.create(rex)).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - since).toBeLessThan(LATEST);
    expect(await limited.pets.find(nobody)).toBeUndefined();
    await limited.database.ping();
    await outage.admin.query('alter role few connection limit 20');
    await soon(() => everythingWorks(limited), 1_000);
    await limited.close();
  });
});

describe('tables that another session has locked', () => {
  it('are given up in time', async () => {
    await outage.admin.query(
      'begin; lock table pets, idempotent_requests, api_key_secrets, api_keys in access exclusive mode',
    );
    const since = performance.now();
    for (const question of await Promise.allSettled([
      outage.stores.pets.list({ limit: 1 }),
      outage.stores.pets.find(nobody),
      outage.stores.pets.create(rex),
    ])) {
      expect(question).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    }
    expect(performance.now() - since).toBeLessThan(LATEST);
    await outage.admin.query('rollback');
  });

  it('do not fill the pool for longer than a question may take', async () => {
    await outage.admin.query('begin; lock table idempotent_requests in access exclusive mode');
    const since = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        addOnce(outage.stores, rex, { caller: 'locked', token: String(n) }),
      ),
    );
    expect(performance.now() - since).toBeLessThan(LATEST);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    await outage.admin.query('rollback');
    expect(outage.stores.database.poolStats().waiting).toBe(0);
  });
});
