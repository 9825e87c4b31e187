import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type NewPet, PetName } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import type { Database } from '../src/database/database.js';
import type { IdempotentResult } from '../src/idempotency/idempotent-request.js';
import { openDatabase } from '../src/database/database.js';
import { known } from '../src/testing/known.js';
import { addOnce } from './add-once.js';
import { startMigratedServer } from './migrated-server.js';

let postgres: TestPostgres;
let admin: Client;
/** As several instances of the service have, each with connections of its own. */
let instances: Database[];

beforeAll(async () => {
  postgres = await startMigratedServer();
  instances = await Promise.all(Array.from({ length: 3 }, () => openDatabase({ url: postgres.url })));
  admin = new Client(postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await Promise.all(instances.map((database) => database.close()));
  await postgres.stop();
});
beforeEach(async () => {
  await admin.query('truncate pets, idempotent_requests');
});

const rex: NewPet = {
  name: known(PetName.parse('Rex')),
  categoryId: known(CategoryId.parse('1')),
  status: 'available',
};
const instance = (n: number): Database => known(instances[n % instances.length]);
const count = async (table = 'pets'): Promise<number> =>
  Number((await admin.query<{ n: string }>(`select count(*) n from ${table}`)).rows[0]?.n);

/** So many twins at once over all instances, as many at a time as there may be without waiting for a connection. */
async function race(twins: number, token: string): Promise<IdempotentResult[]> {
  const results: IdempotentResult[] = [];
  let left = twins;
  const runner = async (at: number): Promise<void> => {
    while (left-- > 0) results.push(await addOnce(instance(at), rex, { caller: 'a', token }));
  };
  await Promise.all(Array.from({ length: 18 }, (_, at) => runner(at)));
  return results;
}

describe('twins', () => {
  it('by the hundred are carried out once, and all others in progress or replayed', async () => {
    for (let round = 0; round < 5; round++) {
      const results = await race(300, `round-${round}`);
      const kinds = results.map(({ kind }) => kind);
      expect(results).toHaveLength(300);
      expect(kinds.filter((kind) => kind === 'carried_out')).toHaveLength(1);
      expect(kinds).not.toContain('reused');
      const answers = results.flatMap((result) =>
        'answer' in result ? [JSON.stringify(result.answer)] : [],
      );
      expect(new Set(answers).size).toBe(1);
      expect(await count()).toBe(round + 1);
      expect(await count('idempotent_requests')).toBe(round + 1);
    }
  });

  it('are all replayed, none in progress, once the first has been answered', async () => {
    const first = await addOnce(instance(0), rex, { caller: 'a', token: 'answered' });
    const results = await race(200, 'answered');
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['replayed']));
    expect(results[0]).toEqual({ ...first, kind: 'replayed' });
    expect(await count()).toBe(1);
  });

  it('are carried out once also where a row of yesterday is in the way', async () => {
    for (let round = 0; round < 10; round++) {
      await race(30, 't');
      await admin.query(`update idempotent_requests set created_at = now() - interval '25 hours'`);
      expect(await count()).toBe(round + 1);
    }
  });

  it('whose transactions are serializable all come to one result', async () => {
    await admin.query(`alter database postgres set default_transaction_isolation = 'serializable'`);
    const strict = await openDatabase({ url: postgres.url });
    try {
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, n) => addOnce(strict, rex, { caller: 'a', token: `t${n % 6}` })),
      );
      expect(results.filter(({ kind }) => kind === 'carried_out')).toHaveLength(6);
      expect(await count()).toBe(6);
    } finally {
      await admin.query('alter database postgres reset default_transaction_isolation');
      await strict.close();
    }
  });

  it('of one session that ends are carried out by another, once', async () => {
    for (let round = 0; round < 10; round++) {
      const token = `ended-${round}`;
      const asked = Array.from({ length: 12 }, (_, n) =>
        addOnce(instance(n), rex, { caller: 'a', token }).catch((error: unknown) => error),
      );
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore'`,
      );
      for (const outcome of await Promise.all(asked)) {
        if (outcome instanceof Error) expect(outcome.name).toBe('StoreUnavailableError');
      }
      let last: IdempotentResult | undefined;
      while (last?.kind !== 'replayed') {
        last = await addOnce(instance(round), rex, { caller: 'a', token }).catch(() => undefined);
      }
      expect(await count()).toBe(round + 1);
      expect(await count('idempotent_requests')).toBe(round + 1);
    }
  });
});
