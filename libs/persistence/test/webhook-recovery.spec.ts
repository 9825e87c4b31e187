import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventPosition, EventVisibility } from '@petstore/event-feed';
import type { Recovery, WebhookId } from '@petstore/webhook';
import { Endpoints } from './endpoints.js';
import { outcomeOf } from './outcomes.js';

let endpoints: Endpoints;
let id: WebhookId;

beforeAll(async () => {
  endpoints = await Endpoints.open();
});
afterAll(() => endpoints.close());
beforeEach(async () => {
  await endpoints.reset();
  id = await endpoints.add('a');
});

const KEY = 'key_0';
const FAR = '9223372036854775807';

describe('a recovery', () => {
  const ALL: EventVisibility = { resources: ['pet', 'category', 'order'] };
  const recover = (
    after: string | number,
    visibility: EventVisibility = ALL,
    keyId = KEY,
  ): Promise<Recovery | undefined> =>
    endpoints.deliveries.recover({ id, keyId, after: String(after) as EventPosition, visibility });
  const pending = async (): Promise<number[]> => {
    const rows = await endpoints.rows<{ position: string }>(
      `select position from webhook_deliveries where webhook_id = ${id} and status = 'pending'
         and attempts = 0 and next_attempt_at <= now() order by position`,
    );
    return rows.map(({ position }) => Number(position));
  };
  const DONE = { next: undefined };

  it('makes due again what has failed behind the position, and nothing else', async () => {
    await endpoints.events(5);
    await endpoints.delivery(id, '1', 'failed');
    await endpoints.delivery(id, '2', 'failed');
    await endpoints.delivery(id, '3', 'delivered');
    await endpoints.delivery(id, '4', 'dropped');
    await endpoints.delivery(id, '5', 'failed');
    await endpoints.delivery(id, null, 'failed');
    expect(await recover(1)).toEqual({ requeued: 2, ...DONE });
    expect(await pending()).toEqual([2, 5]);
  });

  it('queues what never was, and repeats nothing', async () => {
    await endpoints.events(4);
    await endpoints.delivery(id, '3', 'delivered');
    expect(await recover(1)).toEqual({ requeued: 2, ...DONE });
    expect(await pending()).toEqual([2, 4]);
    expect(await recover(1)).toEqual({ requeued: 0, ...DONE });
  });

  it('queues an event once when many recover at once', async () => {
    await endpoints.events(50);
    const all = await Promise.all(Array.from({ length: 6 }, () => recover(0)));
    expect(all.reduce((sum, found) => sum + (found?.requeued ?? 0), 0)).toBe(50);
    expect(await endpoints.feed.count('webhook_deliveries')).toBe(50);
  });

  it.each<readonly [readonly string[] | undefined, EventVisibility, number[]]>([
    [undefined, ALL, [1, 2, 3, 4, 5]],
    [undefined, { resources: ['pet', 'category'] }, [1, 2, 3]],
    [undefined, { resources: ['pet', 'category'], audience: KEY }, [1, 2, 3, 4]],
    [undefined, { resources: ['order'] }, [4, 5]],
    [['pet.*'], ALL, [1, 2]],
    [['pet.created', 'order.*'], ALL, [1, 4, 5]],
    [['order.*'], { resources: ['pet', 'category'] }, []],
  ])('of an endpoint for %j queues what is wanted and seen (%j)', async (types, visibility, expected) => {
    await endpoints.events(1, 'pet.created');
    await endpoints.events(1, 'pet.updated');
    await endpoints.events(1, 'category.created');
    await endpoints.events(1, 'order.placed', KEY);
    await endpoints.events(1, 'order.placed', 'key_1');
    if (types !== undefined) await endpoints.patch(id, { types });
    expect(await recover(0, visibility)).toEqual({ requeued: expected.length, ...DONE });
    expect(await pending()).toEqual(expected);
  });

  it('queues at most 10,000 events, the oldest first, and says where to go on', async () => {
    await endpoints.events(10_500);
    await endpoints.delivery(id, '17', 'failed');
    expect(await recover(0)).toEqual({ requeued: 10_000, next: '10000' });
    expect(await recover(10_000)).toEqual({ requeued: 500, ...DONE });
    expect(await endpoints.feed.count('webhook_deliveries')).toBe(10_500);
  });

  it('looks at half a million events at most, and says where to go on', async () => {
    await endpoints.rows('update event_head set position = 1200000, first = 0');
    expect(await recover(100_000)).toEqual({ requeued: 0, next: '600000' });
    expect(await recover(1_200_000)).toEqual({ requeued: 0, ...DONE });
  });

  it('is refused from a position whose events are gone, or that was never given out', async () => {
    await endpoints.events(20);
    await endpoints.rows('update event_head set first = 10');
    await endpoints.rows('delete from events where position <= 10');
    await expect(recover(9)).rejects.toMatchObject({ name: 'PositionGoneError', isBeyondNewest: false });
    await expect(recover(21)).rejects.toMatchObject({ name: 'PositionGoneError', isBeyondNewest: true });
    expect(await recover(10)).toEqual({ requeued: 10, ...DONE });
    await expect(recover(FAR)).rejects.toMatchObject({ name: 'PositionGoneError' });
  });

  it('is refused at a disabled endpoint, and out of reach of other keys', async () => {
    await endpoints.events(1);
    await endpoints.patch(id, { status: 'disabled' });
    expect(await outcomeOf(recover(0))).toBe('WebhookDisabledError');
    expect(await recover(0, ALL, 'key_1')).toBeUndefined();
  });
});
