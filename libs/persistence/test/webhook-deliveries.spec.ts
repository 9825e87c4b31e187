import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventPosition, EventVisibility } from '@petstore/event-feed';
import {
  type Delivery,
  type DeliveryId,
  DeliveryStatus,
  type Replay,
  type WebhookId,
} from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import { DeliveryRepository } from '../src/webhooks/delivery.repository.js';
import { WebhookRepository } from '../src/webhooks/webhook.repository.js';
import { removeOld } from './old-rows.js';
import { TestDatabase } from './test-database.js';
import { KEY, TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);
let id: WebhookId;
beforeEach(async () => {
  id = await webhooks.endpoint();
});

const UNKNOWN = '9223372036854775807';

describe('the deliveries of an endpoint', () => {
  it('are removed with age, and those of a removed endpoint with it; others are left', async () => {
    const other = await webhooks.endpoint();
    await webhooks.delivery(other, '1', 'failed');
    await db.query(`update webhook_deliveries set created_at = now() - interval '30.1 days'`);
    for (const each of [id, other]) await webhooks.delivery(each, '2', 'delivered');
    await webhooks.delivery(id, '3', 'pending');
    expect(await removeOld(db, 'webhook_deliveries')).toBe(1);
    await db.stores.unitOfWork.run(async (tx) => {
      const repository = tx.of(WebhookRepository);
      await repository.delete(known(await repository.lock({ id })));
    });
    expect(await webhooks.states()).toEqual({ delivered: 2, pending: 1 });
    expect(await db.count(`webhook_secrets where webhook_id = ${id}`)).toBe(0);
    const clear = async (): Promise<number> =>
      (await removeOld(db, 'deliveries_of_removed_webhooks')) + (await removeOld(db, 'removed_webhooks'));
    expect(await clear()).toBe(0);
    await db.query(`update webhooks set updated_at = now() - interval '61 s' where key_id is null`);
    expect(await clear()).toBe(3);
    expect(await db.query('select id from webhooks')).toEqual([{ id: other }]);
    expect(await db.query('select webhook_id from webhook_deliveries')).toEqual([{ webhook_id: other }]);
  });
});

describe('a redelivery', () => {
  const redeliver = (delivery: string): Promise<Delivery | undefined> =>
    db.stores.unitOfWork.run(async (tx) => {
      const webhook = known(await tx.of(WebhookRepository).lock({ id }, 'shared'));
      return tx.of(DeliveryRepository).redeliver(webhook, delivery as DeliveryId);
    });

  it.each(DeliveryStatus.ALL)('makes one that is %s due now, as if it were new', async (status) => {
    const position = await webhooks.missed(1);
    const delivery = await webhooks.delivery(id, position, status);
    expect(await redeliver(delivery)).toEqual({
      id: delivery,
      eventId: position,
      type: 'pet.updated',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: expect.any(Date),
    });
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'pending', due: 0 }]);
  });

  it('makes none due that is not there, is a test, belongs to another endpoint, or has lost its event', async () => {
    const other = await webhooks.endpoint();
    const position = await webhooks.missed(1);
    const candidates = [
      UNKNOWN,
      await webhooks.delivery(id, null, 'failed'),
      await webhooks.delivery(other, position, 'failed'),
      await webhooks.delivery(id, '900', 'failed'),
    ];
    for (const delivery of candidates) expect(await redeliver(delivery)).toBeUndefined();
    expect(await webhooks.states()).toEqual({ failed: 3 });
  });
});

describe('a replay', () => {
  const ALL: EventVisibility = { resources: ['pet', 'category', 'order'] };
  const replay = (after: number, visibility = ALL): Promise<Replay> =>
    db.stores.unitOfWork.run(async (tx) => {
      const webhook = known(await tx.of(WebhookRepository).lock({ id }, 'shared'));
      const wanted = { after: String(after) as EventPosition, most: 10_000, visibility };
      return tx.of(DeliveryRepository).replay(webhook, wanted);
    });
  const pending = async (): Promise<number[]> => {
    const rows = await db.query<{ position: number }>(
      `select position::int from webhook_deliveries where webhook_id = ${id} and status = 'pending'
         and attempts = 0 and next_attempt_at <= now() order by position`,
    );
    return rows.map(({ position }) => position);
  };
  const requeued = (count: number): Replay => ({ requeued: count, next: undefined });

  it('makes due again what has failed behind the position, queues what never was, and nothing else', async () => {
    await webhooks.missed(6);
    for (const [at, status] of ['failed', 'failed', 'delivered', 'dropped', 'failed'].entries())
      await webhooks.delivery(id, String(at + 1), status);
    await webhooks.delivery(id, null, 'failed');
    expect(await replay(1)).toEqual(requeued(3));
    expect(await pending()).toEqual([2, 5, 6]);
    expect(await replay(1)).toEqual(requeued(0));
  });

  it('queues an event once when many replay at once', async () => {
    await webhooks.missed(50);
    const all = await Promise.all(Array.from({ length: 6 }, () => replay(0)));
    expect(all.reduce((sum, found) => sum + found.requeued, 0)).toBe(50);
    expect(await db.count('webhook_deliveries')).toBe(50);
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
    await webhooks.missed(1, 'pet.created');
    await webhooks.missed(1, 'pet.updated');
    await webhooks.missed(1, 'category.created');
    await webhooks.missed(1, 'order.placed', KEY);
    await webhooks.missed(1, 'order.placed', 'key_2');
    await db.query('update webhooks set types = $1', [types]);
    expect(await replay(0, visibility)).toEqual(requeued(expected.length));
    expect(await pending()).toEqual(expected);
  });

  it('queues at most as many events as are wanted, the oldest first, and says where to go on', async () => {
    await webhooks.missed(10_500);
    await webhooks.delivery(id, '17', 'failed');
    expect(await replay(0)).toEqual({ requeued: 10_000, next: '10000' });
    expect(await replay(10_000)).toEqual(requeued(500));
    expect(await db.count('webhook_deliveries')).toBe(10_500);
  });
});
