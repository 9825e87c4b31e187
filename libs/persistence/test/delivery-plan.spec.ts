import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { READ_BY_INDEX } from '../src/events/sequencing.queries.js';
import type { Statement } from '../src/fast-lane/statement.js';
import {
  CLAIM,
  SETTLE,
  SETTLE_ENDPOINTS,
  SETTLE_PENDING,
  UNCLAIM,
} from '../src/webhooks/delivery-queue.queries.js';
import { FAN_OUT } from '../src/webhooks/delivery.repository.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, explain } from './query-plan.js';

let server: TestPostgres;
let session: Client;
beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  session = new Client(server.url);
  await session.connect();
});
afterEach(async () => {
  await session.query('rollback');
  await session.query('vacuum');
  await session.end();
});

/** Behind those that the statements draw themselves. */
const FIRST_ID = 1_000_000;
const IDS = `{${Array.from({ length: 50 }, (_, n) => FIRST_ID + n * 400).join(',')}}`;
const all = (value: string): string => `{${Array(50).fill(value).join(',')}}`;

/**
 * Each with 50 rows, and most pages that it may look at: some twenty for each row. A plan that was made for an empty table
 * may look an id up in the index of lists, which takes some pages more for each endpoint; statistics end that.
 */
const STATEMENTS: readonly (readonly [Statement, readonly string[], number])[] = [
  [{ name: 'claim', text: CLAIM }, ['30000', '{}', '{}', '{}', '5', '0', '50', '0'], 4_000],
  [
    { name: 'settle', text: SETTLE },
    [IDS, all('0'), all('pending'), all('5000'), all('503'), all('http_status')],
    2_000,
  ],
  [{ name: 'unclaim', text: UNCLAIM }, [IDS, all('0'), all('NULL'), 'pending', '0'], 2_000],
  [{ name: 'settle_endpoints', text: SETTLE_ENDPOINTS }, ['{1,2,3}', '{1,0,2}', '{f,t,f}', '{f,f,t}'], 200],
  // Two events for eleven endpoints.
  [{ name: 'fan_out', text: FAN_OUT }, ['29998', '30000'], 2_000],
  [{ name: 'settle_pending', text: SETTLE_PENDING }, ['{11}', 'failed', 'false'], 3_000],
];

describe('with 20,000 deliveries that wait, without statistics', () => {
  it.each(['auto', 'force_generic_plan', 'force_custom_plan'])(
    'a session that planned before there was one looks at a few pages (%s)',
    async (mode) => {
      await session.query(`set plan_cache_mode = ${mode}`);
      await session.query('begin');
      await session.query(READ_BY_INDEX);
      for (const [statement, values] of STATEMENTS) {
        for (let n = 0; n < 6; n++) await explain(session, [statement, values], 'costs off');
      }
      await session.query(`insert into api_keys (id, name, plan, scopes, created_at)
        select 'key_' || n, 'x', 'free', '{webhooks:manage,pets:read}', now() from generate_series(1, 5000) n`);
      await session.query(`insert into webhooks (id, key_id, url, status) overriding system value
        select n, 'key_' || n * 100, 'x' || n, 'enabled' from generate_series(1, 11) n`);
      await session.query(
        `insert into events select n, 'pet.updated', 'pet', null, '{}', now() from generate_series(1, 30000) n`,
      );
      await session.query(`insert into webhook_deliveries (id, webhook_id, position, type, status, next_attempt_at)
        overriding system value
        select ${FIRST_ID} + n, 1 + n % 10, n, 'pet.updated', 'pending', now() - interval '1 hour' from generate_series(1, 20000) n`);
      await session.query(`insert into webhook_deliveries (id, webhook_id, position, type, status, next_attempt_at)
        overriding system value
        select ${FIRST_ID} + 20000 + n, 11, n, 'pet.updated', 'pending', now() + interval '1 hour' from generate_series(1, 50) n`);
      for (const [statement, values, most] of STATEMENTS) {
        const plan = await explain(session, [statement, values]);
        expect([statement.name, buffersOf(plan) < most, buffersOf(plan)]).toEqual([
          statement.name,
          true,
          expect.any(Number),
        ]);
      }
    },
  );
});
