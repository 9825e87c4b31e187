import { describe, expect, it } from '@jest/globals';
import {
  EVENT_RESOURCES,
  type EventPage,
  type EventPageRequest,
  EventPosition,
  type EventResource,
  type EventVisibility,
  PositionGoneError,
  visibleEvents,
} from '@petstore/event-feed';
import fc from 'fast-check';
import { EventMaintenance, SequencerBusyError } from '../src/events/event.maintenance.js';
import { known } from '../src/testing/known.js';
import { removeOld } from './old-rows.js';
import { repeatDuring } from './outcomes.js';
import { rex } from './pet-actions.js';
import { EVERYTHING, type FeedEvent, parseExact, TestDatabase } from './test-database.js';

const db = new TestDatabase();

const at = (position: number): EventPosition => known(EventPosition.parse(String(position)));
const read = (after?: number, limit = 20): Promise<EventPage> =>
  db.stores.eventFeed.read({ after: after === undefined ? after : at(after), limit, visibility: EVERYTHING });
const idsAfter = async (after?: number, limit?: number): Promise<number[]> =>
  (parseExact((await read(after, limit)).json) as FeedEvent[]).map(({ id }) => Number(id));
/** Where the feed begins and ends, of which a reader is informed whose position is gone. */
const goneAt = async (after: number): Promise<unknown> => {
  const error: unknown = await read(after).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(PositionGoneError);
  const { first, newest, isBeyondNewest } = error as PositionGoneError;
  return { first, newest, isBeyondNewest };
};

describe('a page of the feed', () => {
  /** What an event is about, and whose order it was. */
  interface Kind {
    readonly resource: EventResource;
    readonly audience: string | null;
  }
  /** Some events of one kind, one after the other. */
  type Run = readonly [Kind, length: number];

  const KINDS: readonly Kind[] = [
    { resource: 'pet', audience: null },
    { resource: 'category', audience: null },
    { resource: 'order', audience: 'key_1' },
    { resource: 'order', audience: 'key_2' },
  ];
  /** Every visibility that a key may have, for each resource that it may ask for. */
  const VIEWS: readonly EventVisibility[] = [
    ['pets:read'],
    ['pets:read', 'orders:read'],
    ['pets:read', 'orders:read', 'orders:manage'],
    ['orders:read'],
  ].flatMap((scopes) =>
    ['key_1', 'key_3'].flatMap((keyId) =>
      [undefined, ...EVENT_RESOURCES].map((resource) =>
        visibleEvents({ keyId, scopes: new Set(scopes) }, resource),
      ),
    ),
  );
  const isSeen = ({ resources, audience }: EventVisibility, kind: Kind): boolean =>
    resources.includes(kind.resource) || (audience !== undefined && kind.audience === audience);

  /** Replaces the feed; it begins behind `first`. */
  async function fill(runs: readonly Run[], first: number): Promise<Kind[]> {
    const kinds = runs.flatMap(([kind, length]) => Array.from({ length }, () => kind));
    await db.query('truncate events');
    await db.query(
      `insert into events (position, type, resource, audience, json, happened_at)
       select n, 'x', resource, audience, n::text, now()
       from unnest($1::text[], $2::text[]) with ordinality kind (resource, audience, n)`,
      [kinds.map(({ resource }) => resource), kinds.map(({ audience }) => audience)],
    );
    await db.query('update event_head set first = $1, position = $2', [first, kinds.length]);
    return kinds;
  }
  const positions = async (request: EventPageRequest): Promise<[positions: number[], position: number]> => {
    const { json, position } = await db.stores.eventFeed.read(request);
    return [JSON.parse(json) as number[], Number(position)];
  };

  it('holds what its reader sees, and nothing is passed over, however rare it is', async () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 120 }));
    const runs = fc.array(fc.tuple(fc.constantFrom(...KINDS), length), { minLength: 1, maxLength: 12 });
    const limits = fc.constantFrom(1, 2, 5, 20, 100);
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(runs, limits, shares, shares, async (filled, limit, gone, progress) => {
        const first = Math.floor(gone * filled.reduce((sum, [, events]) => sum + events, 0));
        const kinds = await fill(filled, first);
        const after = first + Math.floor(progress * (kinds.length - first));
        for (const visibility of VIEWS) {
          const seen = kinds.flatMap((kind, n) => (n >= after && isSeen(visibility, kind) ? [n + 1] : []));
          const page = seen.slice(0, limit);
          const end = page.length === limit ? page.at(-1) : kinds.length;
          expect(await positions({ visibility, limit, after: at(after) })).toEqual([page, end]);
          if (after === first) expect(await positions({ visibility, limit })).toEqual([page, end]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('of nothing new says how far the feed goes, at its end and beyond all that others may do', async () => {
    await fill([[{ resource: 'order', audience: 'key_2' }, 5_000]], 0);
    for (const visibility of VIEWS.filter(({ resources }) => !resources.includes('order'))) {
      for (const after of [at(0), at(4_999), at(5_000), 'latest'] as const)
        expect(await positions({ visibility, limit: 20, after })).toEqual([[], 5_000]);
    }
  });
});

/** Appends events to the feed, which happened so many days ago. */
async function happened(...daysAgo: number[]): Promise<void> {
  await db.query(
    `with head as (update event_head set position = position + cardinality($1::int[]) returning position)
     insert into events
     select position - cardinality($1::int[]) + n, 'pet.created', 'pet', null,
       '{"id":' || position - cardinality($1::int[]) + n || '}', now() - days * interval '1 day'
     from head, unnest($1::int[]) with ordinality event (days, n)`,
    [daysAgo],
  );
}
const remove = (days: number): Promise<number> => removeOld(db, 'events', days);
/** Which positions are kept, and where the feed begins and ends. */
const kept = async (): Promise<unknown> => {
  const [head] = await db.query(
    `select first::int, position::int,
       array(select position::int from events order by position) as kept from event_head`,
  );
  return head;
};

describe('old events', () => {
  it.each<[string, number[], [days: number, removed: number, first: number, kept: number[]][]]>([
    [
      'leave no gap, though the clock went backwards: one that is kept keeps all behind it',
      [40, 29, 50, 35, 1],
      [
        [30, 1, 1, [2, 3, 4, 5]],
        [28, 3, 4, [5]],
      ],
    ],
    ['may be all of them', [40, 40], [[30, 2, 2, []]]],
    ['are removed in batches', Array<number>(12_345).fill(31), [[30, 12_345, 12_345, []]]],
  ])('%s', async (_what, daysAgo, removals) => {
    await happened(...daysAgo);
    for (const [days, removed, first, positions] of removals) {
      expect(await remove(days)).toBe(removed);
      expect(await kept()).toEqual({ first, position: daysAgo.length, kept: positions });
    }
  });

  it('are never passed over by a reader while they are removed', async () => {
    await happened(...Array<number>(30_000).fill(31));
    const removed = await repeatDuring(remove(30), async (round) => {
      const after = ((round * 137) % 3_000) * 10;
      const ids = await idsAfter(after, 10).catch((error: unknown) => error);
      if (Array.isArray(ids)) expect(ids).toEqual(Array.from({ length: 10 }, (_, n) => after + n + 1));
      else expect(ids).toBeInstanceOf(PositionGoneError);
    });
    expect(removed).toBe(30_000);
    expect(await goneAt(0)).toEqual({ first: '30000', newest: '30000', isBeyondNewest: false });
  });
});

it('a restart sends readers of the lost feed back to the beginning, and goes on beyond all that they can know', async () => {
  await happened(31, 31, 31);
  expect(await new EventMaintenance({ url: db.postgres.url }).restart()).toEqual({ first: '1000003' });
  for (const position of [0, 3, 4, 1_000_002]) await goneAt(position);
  expect([await idsAfter(), (await read(1_000_003)).position]).toEqual([[], '1000003']);
  // It stays in force when what was before it is removed by age.
  expect(await remove(30)).toBe(3);
  await goneAt(1);
  await db.stores.pets.create(rex);
  await db.drain();
  expect([await idsAfter(1_000_003), await idsAfter()]).toEqual([[1_000_004], [1_000_004]]);
});

it('a restart lifts every id that clients may have stored by a million', async () => {
  const TABLES = ['pets', 'categories', 'orders', 'webhooks', 'webhook_deliveries'];
  const drawn = (): Promise<string[]> =>
    Promise.all(
      TABLES.map(async (table) => {
        const [row] = await db.query<{ id: string }>(
          `select nextval(pg_get_serial_sequence($1, 'id')) as id`,
          [table],
        );
        return row?.id ?? '';
      }),
    );
  const before = await drawn();
  await new EventMaintenance({ url: db.postgres.url }).restart();
  const after = await drawn();
  expect(after.map((id, at) => BigInt(id) - BigInt(before[at] ?? ''))).toEqual(TABLES.map(() => 1_000_002n));
  // What else is numbered, no client is shown.
  const sequences = await db.query<{ name: string }>('select sequencename as name from pg_sequences');
  const OTHERS = ['api_key_audit', 'outbox', 'schema_migrations', 'webhook_secrets'];
  expect(sequences.map(({ name }) => name).sort()).toEqual(
    [...TABLES, ...OTHERS].map((table) => `${table}_id_seq`).sort(),
  );
});

it.each(['recount', 'restart'] as const)(
  'a %s waits for the sequencer, and gives up without a change',
  async (what) => {
    await db.query(`insert into inventory values (5, 'pending', 7)`);
    await db.query('begin; select from event_head for update');
    const hurried = new EventMaintenance({ url: db.postgres.url }, 100);
    await expect(hurried[what]()).rejects.toThrow(SequencerBusyError);
    await db.query('rollback');
    expect(await db.count('inventory')).toBe(1);
    expect(await kept()).toMatchObject({ first: 0, position: 0 });
  },
);
