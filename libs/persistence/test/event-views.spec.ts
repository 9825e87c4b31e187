import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  EVENT_RESOURCES,
  type EventPageRequest,
  EventPosition,
  type EventResource,
  type EventVisibility,
  visibleEvents,
} from '@petstore/event-feed';
import fc from 'fast-check';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

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

const isSeen = ({ resources, audience }: EventVisibility, kind: Kind): boolean =>
  resources.includes(kind.resource) || (audience !== undefined && kind.audience === audience);

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

/** Replaces the feed; it begins behind `first`. */
async function fill(runs: readonly Run[], first: number): Promise<Kind[]> {
  const kinds = runs.flatMap(([kind, length]) => Array.from({ length }, () => kind));
  await feed.admin.query('truncate events');
  await feed.admin.query(
    `insert into events (position, type, resource, audience, json, happened_at)
     select n, 'x', resource, audience, n::text, now()
     from unnest($1::text[], $2::text[]) with ordinality kind (resource, audience, n)`,
    [kinds.map(({ resource }) => resource), kinds.map(({ audience }) => audience)],
  );
  await feed.admin.query('update event_head set first = $1, position = $2', [first, kinds.length]);
  return kinds;
}

const position = (n: number): EventPosition => known(EventPosition.parse(String(n)));

async function read(request: EventPageRequest): Promise<[positions: number[], position: number]> {
  const page = await feed.stores.eventFeed.read(request);
  return [JSON.parse(page.json) as number[], Number(page.position)];
}

describe('a page of the feed', () => {
  it('holds what its reader sees, and nothing is passed over, however rare it is', async () => {
    const runs = fc.array(
      fc.tuple(
        fc.constantFrom(...KINDS),
        fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 120 })),
      ),
      { minLength: 1, maxLength: 12 },
    );
    const limits = fc.constantFrom(1, 2, 5, 20, 100);
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(runs, limits, shares, shares, async (filled, limit, gone, progress) => {
        const first = Math.floor(gone * filled.reduce((sum, [, length]) => sum + length, 0));
        const kinds = await fill(filled, first);
        const after = first + Math.floor(progress * (kinds.length - first));
        for (const visibility of VIEWS) {
          const seen = kinds.flatMap((kind, at) => (at >= after && isSeen(visibility, kind) ? [at + 1] : []));
          const page = seen.slice(0, limit);
          const end = page.length === limit ? page.at(-1) : kinds.length;
          expect(await read({ visibility, limit, after: position(after) })).toEqual([page, end]);
          if (after === first) expect(await read({ visibility, limit })).toEqual([page, end]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('of nothing new says how far the feed goes, at its end and beyond all that others may do', async () => {
    await fill([[{ resource: 'order', audience: 'key_2' }, 5_000]], 0);
    for (const visibility of VIEWS.filter(({ resources }) => !resources.includes('order'))) {
      for (const after of [position(0), position(4_999), position(5_000), 'latest'] as const) {
        expect(await read({ visibility, limit: 20, after })).toEqual([[], 5_000]);
      }
    }
  });
});
