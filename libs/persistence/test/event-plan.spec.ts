import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventPosition, type EventVisibility } from '@petstore/event-feed';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { feedQueries } from '../src/events/feed.queries.js';
import { FORGET_EMPTY, LOCK, LOOK, READ_BY_INDEX, SEQUENCE } from '../src/events/sequencing.queries.js';
import { known } from '../src/testing/known.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, explain, fastLaneSession, type PlanNode, rowsThrownAway } from './query-plan.js';

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
}

const VIEWS: readonly (readonly [string, EventVisibility, indexes: readonly string[]])[] = [
  ['of pets', { resources: ['pet'] }, ['events_resource', 'events_audience']],
  ['without orders', { resources: ['pet', 'category'] }, ['events_resource', 'events_audience']],
  [
    'with the orders of a key',
    { resources: ['pet', 'category'], audience: 'key_1' },
    ['events_resource', 'events_audience'],
  ],
];

describe.each([
  ['an empty feed', () => Promise.resolve()],
  ['a long feed that was not analyzed', fill],
  ['a long feed', (session: Client) => session.query('vacuum analyze events')],
])('in %s', (_what, prepare: (session: Client) => Promise<unknown>) => {
  let session: Client;
  beforeAll(async () => {
    session = await fastLaneSession(server.url);
    await prepare(session);
  });
  afterAll(() => session.end());

  const positions = [undefined, '0', '100', '40006', '59990', 'latest'];
  const queriesOf = (after: string | undefined, visibility: EventVisibility) =>
    feedQueries({
      after: after === undefined || after === 'latest' ? after : known(EventPosition.parse(after)),
      limit: LIMIT,
      visibility,
    });
  const eventsIn = (plan: readonly PlanNode[]): PlanNode[] =>
    plan.filter((node) => node['Relation Name'] === 'events');

  it.each(positions)('a page after %s of everything is read from one index', async (after) => {
    const [query, otherwise] = queriesOf(after, { resources: ['pet', 'category', 'order'] });
    expect(otherwise).toBeUndefined();
    const plan = await explain(session, query);
    expect(eventsIn(plan).map((node) => node['Index Name'])).toEqual(['events_pkey']);
    expect(rowsThrownAway(plan)).toBe(0);
    // One way down the index, the rows themselves and the head: the same at any depth.
    expect(buffersOf(plan)).toBeLessThan(LIMIT + 15);
  });

  describe.each(VIEWS)('a page %s', (_what, view, indexes) => {
    it.each(positions.slice(0, -1))('after %s is looked for among the next events', async (after) => {
      const [query] = queriesOf(after, view);
      const plan = await explain(session, query);
      expect(eventsIn(plan).map((node) => node['Index Name'])).toEqual(['events_pkey']);
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
});

describe('a session that sequences', () => {
  /** Statements of the pool, whose plans are made while all tables seem empty and kept for what comes. */
  const STATEMENTS = [
    [{ name: 'look', text: LOOK }, ['0', '']],
    [{ name: 'lock', text: LOCK }, []],
    [{ name: 'sequence', text: SEQUENCE }, ['1000', '0']],
    [{ name: 'forget_empty', text: FORGET_EMPTY }, []],
  ] as const;

  it.each(['auto', 'force_generic_plan', 'force_custom_plan'])(
    'walks no table, though it plans before there is anything (%s)',
    async (mode) => {
      const session = new Client(server.url);
      await session.connect();
      await session.query(`set plan_cache_mode = ${mode}`);
      await session.query('begin');
      await session.query('truncate outbox, inventory');
      await session.query(READ_BY_INDEX);
      for (const statement of STATEMENTS) {
        const plan = await explain(session, statement, 'costs off');
        const walked = plan
          .filter((node) => node['Node Type'] === 'Seq Scan')
          .map((node) => node['Relation Name']);
        // The head is one row.
        expect(walked.filter((table) => table !== 'event_head')).toEqual([]);
        expect(plan.map((node) => node['Node Type']).filter((type) => type.endsWith(' Join'))).toEqual([]);
      }
      await session.query('rollback');
      const { rows } = await session.query('show enable_seqscan');
      expect(rows).toEqual([{ enable_seqscan: 'on' }]);
      await session.end();
    },
  );
});
