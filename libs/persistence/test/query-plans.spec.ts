import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyId } from '@petstore/api-key';
import { OPEN_STATUSES } from '@petstore/order-domain';
import { InstalledPostgres } from '@petstore/test-servers';
import { Webhook, type WebhookId } from '@petstore/webhook';
import type { Client } from 'pg';
import { HISTORY_DAYS, KeyUsageCounters } from '../src/api-keys/key-usage-counters.js';
import { Database } from '../src/database/database.js';
import { FORGET_EMPTY, LOCK, LOOK, READ_BY_INDEX, SEQUENCE } from '../src/events/sequencing.queries.js';
import { COUNT_OPEN } from '../src/orders/order.queries.js';
import { OrderRepository } from '../src/orders/order.repository.js';
import { ACKNOWLEDGE, CLAIM, RELEASE } from '../src/webhooks/delivery-queue.queries.js';
import { REPLAY } from '../src/webhooks/delivery.queries.js';
import { DeliveryRepository } from '../src/webhooks/delivery.repository.js';
import { WebhookRepository } from '../src/webhooks/webhook.repository.js';
import {
  customPlans,
  explain,
  fastLaneSession,
  pagesOf,
  type Query,
  rowsThrownAway,
  sentBy,
} from './query-plan.js';
import { CASES, fill, seemOfOneKind } from './query-plans.js';
import { connect, startMigratedServer } from './test-database.js';

/** The oldest supported PostgreSQL that this machine has or can fetch: its planner and its scans are others. */
const oldest = await InstalledPostgres.version();

async function startOldest(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await InstalledPostgres.start();
  const url = server.superuserUrl;
  const database = await Database.open({ url });
  await database.migrate();
  await database.close();
  return { url, stop: () => server.stop() };
}

const FAN_OUT = await sentBy((manager) => new DeliveryRepository(manager).fanOut('11998', '12000'));
const END_PENDING = await sentBy((manager) =>
  new DeliveryRepository(manager).end(['11' as WebhookId], 'failed'),
);
const LOCK_ATTEMPTED = await sentBy((manager) => {
  const [one, other, last] = ['1', '2', '3'] as WebhookId[] as [WebhookId, WebhookId, WebhookId];
  return new WebhookRepository(manager).lockAttempted({
    all: [one, other, last],
    slow: [last],
    failed: [one],
  });
});
const UPDATE_ATTEMPTED = await sentBy((manager) => {
  const judged = { id: '1', status: 'enabled', disabledReason: null, failingSince: null, failedAttempts: 0 };
  return new WebhookRepository(manager).updateAttempted([
    Object.assign(new Webhook(), { ...judged, isSlow: true }),
  ]);
});
const LOCK_PETS_OF_DUE = await sentBy((manager) => new OrderRepository(manager).lockPetsOfDue(100));
const HISTORY = await sentBy((_, database) => new KeyUsageCounters(database).historyOf('key_5' as KeyId));

describe.each([
  ['the embedded PostgreSQL', startMigratedServer],
  ...(oldest === undefined ? [] : [[`PostgreSQL ${oldest}`, startOldest] as const]),
])('on %s', (_server, start) => {
  let server: Awaited<ReturnType<typeof start>>;
  /** Another database of the server, that stays empty. */
  let emptyUrl: string;
  beforeAll(async () => {
    server = await start();
    const session = await connect(server.url);
    await session.query('create database empty template postgres');
    await session.end();
    const url = new URL(server.url);
    url.pathname = '/empty';
    emptyUrl = url.href;
  });
  afterAll(() => server.stop());

  const MODES = ['auto', 'force_generic_plan', 'force_custom_plan'];

  /** A transaction of a session of the pool, of which nothing is kept. */
  async function inTransaction(work: (session: Client) => Promise<void>, url = server.url): Promise<void> {
    const session = await connect(url);
    try {
      await session.query('begin');
      await work(session);
    } finally {
      await session.end();
    }
  }

  // Statements of the pool are planned while the tables seem empty, and their plans kept for what comes.
  describe('a session that has planned when there was nothing', () => {
    const planning = (work: (session: Client) => Promise<void>): Promise<void> =>
      inTransaction(async (session) => {
        await session.query(READ_BY_INDEX);
        await work(session);
      }, emptyUrl);
    const setMode = (session: Client, mode: string): Promise<unknown> =>
      session.query(`set plan_cache_mode = ${mode}`);

    it.each(MODES)('walks no table to sequence (%s)', (mode) =>
      planning(async (session) => {
        await setMode(session, mode);
        for (const query of [
          [{ name: 'look', text: LOOK }, ['0', '']],
          [{ name: 'lock', text: LOCK }, []],
          [{ name: 'sequence', text: SEQUENCE }, ['1000', '0']],
          [{ name: 'forget_empty', text: FORGET_EMPTY }, []],
        ] as const) {
          const plan = await explain(session, query, 'costs off');
          // The head is one row.
          const walked = plan.filter((node) => node['Relation Name'] !== 'event_head');
          expect(walked.map((node) => node['Node Type'])).not.toContain('Seq Scan');
          expect(plan.filter((node) => node['Node Type'].endsWith(' Join'))).toEqual([]);
        }
        await session.query('rollback');
        expect((await session.query('show enable_seqscan')).rows).toEqual([{ enable_seqscan: 'on' }]);
      }),
    );

    it.each(MODES)('moves thousands of events at no higher cost after it has planned for one (%s)', (mode) =>
      planning(async (session) => {
        await setMode(session, mode);
        const wait = (events: number): Promise<unknown> =>
          session.query(
            `insert into outbox (type, resource, data) select 'pet.created', 'pet',
              '{"pet":{"id":1,"categoryId":7,"status":"available"}}' from generate_series(1, ${events})`,
          );
        const sequence = [{ name: 'sequence', text: SEQUENCE }, ['100', '0']] as const;
        await wait(1);
        await session.query('analyze outbox');
        await explain(session, sequence, 'costs off');
        await wait(8_000);
        // Some for each of the hundred, in three tables and their indexes.
        expect(pagesOf(await explain(session, sequence))).toBeLessThan(5_000);
      }),
    );

    /** Behind those that the statements draw themselves. */
    const FIRST_ID = 1_000_000;
    const IDS = Array.from({ length: 50 }, (_, n) => FIRST_ID + n * 200);
    const all = (value: string): string[] => Array<string>(50).fill(value);
    const nobody = '{}';

    /**
     * Each with 50 rows, and most pages that it may look at: some twenty for each row. A plan that was made for an empty
     * table may look an id up in the index of lists, which takes some pages more for each endpoint; statistics end that.
     */
    const STATEMENTS: readonly (readonly [...Query, pages: number])[] = [
      // Of each of 5,000 endpoints the first entry of the index: some eight pages without statistics.
      [{ name: 'claim', text: CLAIM }, ['30000', nobody, nobody, 5, 50, 50], 50_000],
      [
        { name: 'acknowledge', text: ACKNOWLEDGE },
        [IDS, all('0'), all('pending'), all('5000'), all('503'), all('http_status')],
        2_000,
      ],
      [{ name: 'release', text: RELEASE }, [IDS, all('0'), all('NULL'), 'pending', 0], 2_000],
      [...LOCK_ATTEMPTED, 200],
      [...UPDATE_ATTEMPTED, 200],
      // Two events for eleven endpoints.
      [...FAN_OUT, 2_000],
      [...END_PENDING, 3_000],
    ];

    it('looks at a few pages to deliver when 10,000 deliveries wait, without statistics', () =>
      planning(async (session) => {
        /** The statement under a name of its own: each mode has a plan of its own. */
        const inMode = (mode: string, { name, text }: Query[0]): Query[0] => ({
          name: `${mode}_${name}`,
          text,
        });
        for (const mode of MODES) {
          await setMode(session, mode);
          for (const [statement, values] of STATEMENTS) {
            for (let n = 0; n < 6; n++)
              await explain(session, [inMode(mode, statement), values], 'costs off');
          }
        }
        const overriding = `insert into webhook_deliveries (id, webhook_id, position, type, status, next_attempt_at)
        overriding system value select`;
        for (const statement of [
          `insert into api_keys (id, name, plan, scopes, created_at)
         select 'key_' || n, 'x', 'free', '{webhooks:manage,pets:read}', now() from generate_series(1, 5000) n`,
          `insert into webhooks (id, key_id, url, status, is_slow) overriding system value
         select n, 'key_' || n * 100, 'x' || n, 'enabled', n % 2 = 0 from generate_series(1, 11) n`,
          // Those that hang between them and one that does not; nothing else is queued for them.
          `insert into webhooks (id, key_id, url, status, is_slow) overriding system value
         select n, 'key_1', 'x' || n, 'disabled', n < 5000 from generate_series(12, 5000) n`,
          `${overriding} 2 * ${FIRST_ID} + n, n, n, 'pet.updated', 'pending', now() - interval '1 hour'
         from generate_series(12, 5000) n`,
          `insert into events select n, 'pet.updated', 'pet', null, '{}', now() from generate_series(1, 12000) n`,
          `${overriding} ${FIRST_ID} + n, 1 + n % 10, n, 'pet.updated', 'pending', now() - interval '1 hour'
         from generate_series(1, 10000) n`,
          // What is not due yet of the endpoints that are served.
          `${overriding} 3 * ${FIRST_ID} + n, 1 + n % 10, null, 'webhook.test', 'pending', now() + interval '1 hour'
           from generate_series(1, 10000) n`,
          `${overriding} ${FIRST_ID} + 10000 + n, 11, n, 'pet.updated', 'pending', now() + interval '1 hour'
         from generate_series(1, 50) n`,
        ])
          await session.query(statement);
        const tooLong: unknown[] = [];
        for (const mode of MODES) {
          await session.query('savepoint filled');
          await setMode(session, mode);
          for (const [statement, values, pages] of STATEMENTS) {
            const found = pagesOf(await explain(session, [inMode(mode, statement), values]));
            if (found >= pages) tooLong.push([mode, statement.name, found]);
          }
          // The next mode finds what this one has found.
          await session.query('rollback to savepoint filled');
        }
        expect(tooLong).toEqual([]);
      }));
  });

  describe.each([
    ['are empty', () => Promise.resolve()],
    ['are long and were not analyzed', fill],
    ['are long', (session: Client) => session.query('vacuum analyze')],
    ['are long and seem to be of one kind', seemOfOneKind],
  ])('while tables %s', (_what, prepare: (session: Client) => Promise<unknown>) => {
    let session: Client;
    beforeAll(async () => {
      session = await fastLaneSession(server.url);
      await prepare(session);
    });
    afterAll(() => session.end());

    it.each(CASES)(
      '$name is read from few pages of indexes',
      async ({ query, indexes, pages, thrownAway = 0 }) => {
        const plan = await explain(session, query);
        // The head of the feed is one row, and a key has ten webhooks at most.
        const scans = plan.filter(
          ({ 'Relation Name': table = '' }) => !['', 'event_head', 'webhooks'].includes(table),
        );
        const used = scans.map((node) => node['Index Name'] ?? node['Relation Name']);
        expect(used.sort()).toEqual([...indexes].sort());
        expect(rowsThrownAway(plan)).toBeLessThanOrEqual(thrownAway);
        expect(pagesOf(plan)).toBeLessThan(pages);
      },
    );

    it('each statement has been planned once, for any values', async () => {
      expect(await customPlans(session)).toBe(0);
    });
  });

  describe('within a transaction, in long tables,', () => {
    it.each<[string, Query, indexes: string[], rows: number]>([
      [
        'counting the open orders of a key',
        [{ name: 'count_open', text: COUNT_OPEN }, ['key_2', OPEN_STATUSES, 100]],
        ['orders_key_status'],
        100,
      ],
      ['the use of a key', HISTORY, ['api_key_usage_pkey', 'api_keys_pkey'], HISTORY_DAYS],
    ])('%s is read by index, and no more than is needed', (_what, query, indexes, rows) =>
      inTransaction(async (session) => {
        const plan = await explain(session, query);
        expect(plan.flatMap((node) => node['Index Name'] ?? []).sort()).toEqual(indexes);
        for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(rows);
        expect(rowsThrownAway(plan)).toBe(0);
      }),
    );

    it('looking for orders whose time is up is as short as what it finds, and at most a batch', () =>
      inTransaction(async (session) => {
        for (const due of [0, 400]) {
          await session.query(`update orders set expires_at = now() - interval '1 minute' where id <= $1`, [
            due,
          ]);
          const plan = await explain(session, LOCK_PETS_OF_DUE);
          expect(plan.flatMap((node) => node['Index Name'] ?? [])).toEqual(['orders_due', 'pets_pkey']);
          expect(rowsThrownAway(plan)).toBe(0);
          for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(Math.min(due, 100));
        }
      }));

    it.each(['1', '2', '3'])(
      'a range of a replay of endpoint %s reads no more rows than positions',
      (endpoint) =>
        inTransaction(async (session) => {
          const RANGE = 5_000;
          await session.query(READ_BY_INDEX);
          const values = [endpoint, '40000', 40_000 + RANGE, 10_000, ['pet', 'category', 'order'], null];
          const plan = await explain(session, [{ name: 'replay', text: REPLAY }, values]);
          for (const node of plan.filter((each) => each['Relation Name'] !== undefined)) {
            expect(node['Node Type']).not.toBe('Seq Scan');
            expect(node['Actual Rows']).toBeLessThanOrEqual(RANGE);
            expect(node['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(RANGE);
          }
        }),
    );
  });
});
