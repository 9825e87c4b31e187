import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventPosition, PositionGoneError } from '@petstore/event-feed';
import { eventRetention } from '../src/events/event.retention.js';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { known } from '../src/testing/known.js';
import { EVERYTHING, Feed, parseEvents } from './feed.js';
import { rex } from './questions.js';

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

const at = (text: string | number): EventPosition => known(EventPosition.parse(String(text)));
const read = async (
  after?: EventPosition | 'latest',
  limit = 20,
): Promise<[ids: number[], position: string]> => {
  const { json, position } = await feed.stores.eventFeed.read({ after, limit, visibility: EVERYTHING });
  return [parseEvents(json).map(({ id }) => Number(id)), position];
};
/** What a reader at this position is told: where the feed begins and ends. */
const gone = (after: EventPosition): Promise<unknown> =>
  feed.stores.eventFeed.read({ after, limit: 20, visibility: EVERYTHING }).then(
    () => 'no refusal',
    (error: unknown) => {
      expect(error).toBeInstanceOf(PositionGoneError);
      const { first, newest, isBeyondNewest } = error as PositionGoneError;
      return { first, newest, isBeyondNewest };
    },
  );

/** Events that happened so many days ago, in this order. */
async function happened(...daysAgo: number[]): Promise<void> {
  for (const days of daysAgo) {
    await feed.stores.pets.create(rex);
    await feed.drain();
    await feed.admin.query(
      `update events set happened_at = now() - $1 * interval '1 day'
       where position = (select max(position) from events)`,
      [days],
    );
  }
}
const remove = (days: number): Promise<number> =>
  removeOldRows(feed.stores.database.manager, eventRetention(days));
const kept = async (): Promise<[positions: number[], first: number, position: number]> => {
  const { rows } = await feed.admin.query<{ first: number; position: number; kept: number[] }>(
    `select first::int, position::int,
       array(select position::int from events order by position) as kept from event_head`,
  );
  const [head] = rows;
  return [head?.kept ?? [], head?.first ?? NaN, head?.position ?? NaN];
};

describe('the feed', () => {
  it('is read from any position, oldest first, and says how far', async () => {
    await happened(0, 0, 0, 0, 0);
    expect(await read()).toEqual([[1, 2, 3, 4, 5], '5']);
    expect(await read(at(0), 2)).toEqual([[1, 2], '2']);
    expect(await read(at(2), 2)).toEqual([[3, 4], '4']);
    expect(await read(at(4), 2)).toEqual([[5], '5']);
    expect(await read(at(3), 2)).toEqual([[4, 5], '5']);
    expect(await read(at(5), 2)).toEqual([[], '5']);
    expect(await read('latest', 2)).toEqual([[], '5']);
  });

  it('says of a filtered page that is not full how far the whole feed was read', async () => {
    await happened(0, 0, 0);
    await feed.admin.query("update events set resource = 'order' where position in (2, 3)");
    const pets = await feed.stores.eventFeed.read({ limit: 20, visibility: { resources: ['pet'] } });
    expect(parseEvents(pets.json).map(({ id }) => id)).toEqual(['1']);
    expect(pets.position).toBe('3');
    const full = await feed.stores.eventFeed.read({ limit: 1, visibility: { resources: ['pet'] } });
    expect(full.position).toBe('1');
    const caughtUp = await feed.stores.eventFeed.read({
      after: at(1),
      limit: 1,
      visibility: { resources: ['pet'] },
    });
    expect([caughtUp.json, caughtUp.position]).toEqual(['[]', '3']);
  });
});

describe('old events', () => {
  it('are removed from the oldest on, and the feed begins later in the same moment', async () => {
    await happened(40, 35, 31, 29, 1);
    expect(await remove(30)).toBe(3);
    expect(await kept()).toEqual([[4, 5], 3, 5]);
    expect(await gone(at(2))).toEqual({ first: '3', newest: '5', isBeyondNewest: false });
    expect(await gone(at(0))).toEqual({ first: '3', newest: '5', isBeyondNewest: false });
    expect(await read(at(3))).toEqual([[4, 5], '5']);
    expect(await read()).toEqual([[4, 5], '5']);
  });

  it('leave no gap, though the clock went backwards: one that is kept keeps all behind it', async () => {
    await happened(40, 29, 50, 35, 1);
    expect(await remove(30)).toBe(1);
    expect(await kept()).toEqual([[2, 3, 4, 5], 1, 5]);
    expect(await remove(28)).toBe(3);
    expect(await kept()).toEqual([[5], 4, 5]);
  });

  it('are not kept for ever by one that the clock has put far into the future', async () => {
    await happened(40, -36_500, 35, -1, 31);
    expect(await remove(30)).toBe(3);
    expect(await kept()).toEqual([[4, 5], 3, 5]);
  });

  it('may be all of them: positions go on where they were', async () => {
    await happened(40, 40);
    expect(await remove(30)).toBe(2);
    expect(await kept()).toEqual([[], 2, 2]);
    expect(await read()).toEqual([[], '2']);
    expect(await gone(at(1))).toMatchObject({ isBeyondNewest: false });
    expect(await read(at(2))).toEqual([[], '2']);
    await happened(0);
    expect(await read(at(2))).toEqual([[3], '3']);
  });

  it('are removed in batches, and there may be none', async () => {
    expect(await remove(30)).toBe(0);
    expect(await kept()).toEqual([[], 0, 0]);
    await feed.admin.query(
      `insert into events select n, 'pet.created', 'pet', null, '{}', now() - interval '31 days' from generate_series(1, 12345) n`,
    );
    await feed.admin.query('update event_head set position = 12345');
    expect(await remove(30)).toBe(12_345);
    expect(await kept()).toEqual([[], 12_345, 12_345]);
  });

  it('are never passed over by a reader while they are removed', async () => {
    await feed.admin.query(
      `insert into events select n, 'pet.created', 'pet', null, '{"id":' || n || '}', now() - interval '31 days' from generate_series(1, 30000) n`,
    );
    await feed.admin.query('update event_head set position = 30000');
    const removal = remove(30).then(() => 'removed' as const);
    let reads = 0;
    for (let state: unknown = 'reading'; state !== 'removed';) {
      const after = at(reads * 10);
      await read(after, 10).then(
        ([ids]) => {
          expect(ids).toEqual(Array.from({ length: 10 }, (_, n) => reads * 10 + n + 1));
        },
        (error: unknown) => {
          expect(error).toBeInstanceOf(PositionGoneError);
        },
      );
      reads = (reads + 137) % 3_000;
      state = await Promise.race([removal, Promise.resolve('reading')]);
    }
    expect(await gone(at(0))).toEqual({ first: '30000', newest: '30000', isBeyondNewest: false });
  });
});
