import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventPageRequest, EventPosition } from '@petstore/event-feed';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { EVENT_RESOURCE } from '../src/event/event.resource.js';
import { eventsQueries } from '../src/event/feed-statements.js';
import { FORGET_EMPTY, SEQUENCE, TAKE_TURN } from '../src/event/sequencing-statements.js';
import { READ_BY_INDEX } from '../src/unit-of-work/read-by-index.js';
import { COUNT } from '../src/inventory/inventory-statements.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import type { Statement } from '../src/pipeline/statement.js';
import {
  CLAIM,
  COUNT_DUE,
  COUNT_FAILURES,
  DISABLE,
  FORGET_FAILURES,
  LOCK_COUNTED,
  SETTLE,
  SETTLE_PENDING,
  UNCLAIM,
} from '../src/webhook/delivery-queue-statements.js';
import { FAN_OUT } from '../src/webhook/fan-out-statements.js';
import { known } from '../src/testing/known.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, explain, type PlanNode, rowsThrownAway } from './query-plan.js';

const EVENTS = 60_000;
const LIMIT = 20;

let server: TestPostgres;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

/** Events of another resource lie in between by the ten thousands, as soon as there is one. */
async function fill(session: Client): Promise<void> {
  await session.query(
    `insert into events select n, 'x', case when n % 20000 = 7 then 'pet' else 'order' end,
       case when n % 20000 = 7 then null when n % 15000 = 8 then 'key_1' else 'key_2' end,
       '{"id":' || n || '}', now() from generate_series(1, $1::int) n`,
    [EVENTS],
  );
  await session.query('update event_head set position = $1', [EVENTS]);
  await session.query(`insert into inventory select n, 'sold', 1 from generate_series(1, 20000) n`);
}

describe.each([
  ['an empty feed', () => Promise.resolve()],
  ['a long feed that nobody has looked at', fill],
  ['a long feed', (session: Client) => session.query('vacuum analyze events')],
])('in %s', (_what, prepare: (session: Client) => Promise<unknown>) => {
  let session: Client;
  beforeAll(async () => {
    const statements = [...EVENT_RESOURCE.reads, COUNT];
    session = await openClient({ connectionString: server.url }, 5_000, prepareSession(statements));
    await prepare(session);
  });
  afterAll(() => endClient(session));

  const positions = [undefined, '0', '100', '40006', '59990', 'latest'];
  const queriesOf = (after: string | undefined, view: Pick<EventPageRequest, 'orders' | 'resource'>) =>
    eventsQueries({
      after: after === undefined || after === 'latest' ? after : known(EventPosition.parse(after)),
      limit: LIMIT,
      ...view,
    });
  const eventsIn = (plan: readonly PlanNode[]): PlanNode[] =>
    plan.filter((node) => node['Relation Name'] === 'events');

  it.each(positions)('a page after %s of everything is read from one index', async (after) => {
    const [query, otherwise] = queriesOf(after, { orders: 'all' });
    expect(otherwise).toBeUndefined();
    const plan = await explain(session, query);
    expect(eventsIn(plan).map((node) => node['Index Name'])).toEqual(['events_pkey']);
    expect(rowsThrownAway(plan)).toBe(0);
    // One way down the index, the rows themselves and the head: the same at any depth.
    expect(buffersOf(plan)).toBeLessThan(LIMIT + 15);
  });

  describe.each([
    ['of pets', { orders: 'all', resource: 'pet' }, ['events_resource']],
    ['without orders', { orders: 'none' }, ['events_resource', 'events_resource']],
    [
      'with the orders of a key',
      { orders: { keyId: 'key_1' } },
      ['events_resource', 'events_resource', 'events_audience'],
    ],
  ] as const)('a page %s', (_what, view, indexes) => {
    it.each(positions)('after %s is looked for among the next events, not many of them', async (after) => {
      const [query] = queriesOf(after, view);
      const plan = await explain(session, query);
      // Those of a resource may come from its index, too: the positions are bounded in both.
      expect(eventsIn(plan).map((node) => node['Index Name'])).toEqual([
        expect.stringMatching(/^events_(pkey|resource)$/),
      ]);
      expect(rowsThrownAway(plan)).toBeLessThanOrEqual(4 * LIMIT);
      expect(buffersOf(plan)).toBeLessThan(LIMIT + 15);
    });

    it('is otherwise merged of ranges of indexes, each as long as the page', async () => {
      for (const after of ['0', '40006', '59990']) {
        const [, query] = queriesOf(after, view);
        const plan = await explain(session, known(query));
        expect(eventsIn(plan).map((node) => node['Index Name'])).toEqual(indexes);
        expect(rowsThrownAway(plan)).toBe(0);
        expect(buffersOf(plan)).toBeLessThan(2 * LIMIT + 20);
      }
    });
  });

  it('the counters of a category are read by their key', async () => {
    const plan = await explain(session, [COUNT, ['7']]);
    expect(plan.at(-1)?.['Index Name']).toBe('inventory_pkey');
  });
});

describe('a session that sequences and delivers', () => {
  /** Statements of the pool, whose plans are made while all tables seem empty and kept for what comes. */
  const STATEMENTS: readonly (readonly [Statement, readonly string[]])[] = [
    [TAKE_TURN, ['0', '']],
    [SEQUENCE, ['1000', '0']],
    [FORGET_EMPTY, []],
    [FAN_OUT, ['0', '1000']],
    [CLAIM, ['50', '30000', '{"7":3}', '1', '{"7":1}', '16']],
    [UNCLAIM, ['{1}', '{1}', '{NULL}', '{pending}', '0']],
    [SETTLE, ['{1}', '{1}', '{delivered}', '{NULL}', '{204}', '{NULL}']],
    [SETTLE_PENDING, ['{1}', 'failed']],
    [LOCK_COUNTED, ['{1}', '{2}']],
    [COUNT_FAILURES, ['{1}', '{1}']],
    [FORGET_FAILURES, ['{1}']],
    [DISABLE, ['{1}', '{gone}']],
    [COUNT_DUE, []],
  ];

  it.each(['auto', 'force_generic_plan', 'force_custom_plan'])(
    'walks no table, though it plans before there is anything (%s)',
    async (mode) => {
      const session = new Client(server.url);
      await session.connect();
      await session.query(`set plan_cache_mode = ${mode}`);
      await session.query('begin');
      await session.query('truncate outbox, inventory, webhooks, webhook_secrets, webhook_deliveries');
      await session.query(READ_BY_INDEX.text);
      for (const [statement, values] of STATEMENTS) {
        await session.query(`prepare ${statement.name} as ${statement.text}`);
        const plan = await explain(session, [statement, values], 'costs off');
        const walked = plan
          .filter((node) => node['Node Type'] === 'Seq Scan')
          .map((node) => node['Relation Name']);
        // The head is one row.
        expect(walked.filter((table) => table !== 'event_head')).toEqual([]);
        const joins = plan.map((node) => node['Node Type']).filter((type) => type.endsWith(' Join'));
        expect(joins).toEqual([]);
      }
      await session.query('rollback');
      const { rows } = await session.query('show enable_seqscan');
      expect(rows).toEqual([{ enable_seqscan: 'on' }]);
      await session.end();
    },
  );
});
