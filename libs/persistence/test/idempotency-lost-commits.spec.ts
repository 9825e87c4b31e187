import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { openDatabase } from '../src/database/database.js';
import { addOnce } from './add-once.js';
import { losingWire } from './losing-wire.js';
import { startMigratedServer } from './migrated-server.js';
import { rex } from './questions.js';
import { soon } from './soon.js';

let postgres: TestPostgres;
let admin: Client;

beforeAll(async () => {
  postgres = await startMigratedServer();
  admin = new Client(postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await postgres.stop();
});
beforeEach(async () => {
  await admin.query('truncate pets, idempotent_requests');
});

const count = async (table = 'pets'): Promise<number> =>
  (await admin.query(`select from ${table}`)).rowCount ?? 0;

describe('a connection that breaks at the commit', () => {
  it.each([
    ['commit', 'carried_out', 0],
    ['answer', 'replayed', 1],
  ] as const)(
    'while the %s is on its way leaves all or nothing: the repetition is %s',
    async (what, kind, kept) => {
      const wire = await losingWire(postgres.url);
      const broken = await openDatabase({ url: wire.url });
      try {
        await addOnce(broken, rex, { caller: 'a', token: 'before' });
        wire.lose(what);
        await expect(addOnce(broken, rex, { caller: 'a', token: 't' })).rejects.toBeInstanceOf(
          StoreUnavailableError,
        );
        // The server may notice a little later that the session is over.
        await soon(async () => {
          for (const table of ['pets', 'idempotent_requests']) expect(await count(table)).toBe(1 + kept);
          expect(await addOnce(broken, rex, { caller: 'a', token: 't' })).toMatchObject({ kind });
        });
        expect(await count()).toBe(2);
      } finally {
        await broken.close();
        wire.close();
      }
    },
  );
});
