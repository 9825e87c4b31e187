import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Shop } from './shop.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

/** Makes all open orders due, the one with the smallest id first. */
const makeDue = (): Promise<unknown> =>
  shop.feed.admin.query(
    `update orders set expires_at = now() - interval '1 hour' + id * interval '1 microsecond' where expires_at is not null`,
  );
const expiredOnes = (): Promise<number> => shop.feed.count(`orders where status = 'expired'`);

describe('expiry', () => {
  it.each([
    ['placed', []],
    ['approved', ['approve']],
  ] as const)('ends an order that is %s, and releases its animal', async (_status, actions) => {
    const { id, pet } = await shop.orderAt(...actions);
    expect(await shop.orders.expire(100)).toBe(0);
    await makeDue();
    expect(await shop.orders.expire(100)).toBe(1);
    expect(await shop.row(id)).toMatchObject({ status: 'expired', expires_at: null });
    expect(await shop.statusOf(pet)).toBe('available');
    const [order, animal] = (await shop.events()).slice(-2);
    expect(order).toMatchObject({
      type: 'order.expired',
      data: { order: { id: Number(id), status: 'expired' } },
    });
    expect(order?.data['order']).not.toHaveProperty('expiresAt');
    expect(animal).toMatchObject({ type: 'pet.updated', data: { previous: { status: 'pending' } } });
    await shop.expectUnbroken();
  });

  it('leaves an order alone that was delivered', async () => {
    const { id } = await shop.orderAt('approve', 'deliver');
    await makeDue();
    expect(await shop.orders.expire(100)).toBe(0);
    expect(await shop.row(id)).toMatchObject({ status: 'delivered' });
  });

  it('takes the oldest first, in batches', async () => {
    for (let n = 0; n < 7; n++) await shop.orderAt();
    await makeDue();
    expect(await shop.orders.expire(3)).toBe(3);
    const { rows } = await shop.feed.admin.query(
      `select id from orders where status = 'expired' order by id`,
    );
    expect(rows).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
    expect([await shop.orders.expire(3), await shop.orders.expire(3), await shop.orders.expire(3)]).toEqual([
      3, 1, 0,
    ]);
  });

  it('does not wait for animals that others hold, and they take nobody else’s place', async () => {
    for (let n = 0; n < 6; n++) await shop.orderAt();
    await makeDue();
    const { admin } = shop.feed;
    await admin.query('begin');
    await admin.query('select from pets where id <= 3 for update');
    expect(await shop.orders.expire(3)).toBe(3);
    expect(await shop.orders.expire(3)).toBe(0);
    await admin.query('rollback');
    expect(await shop.orders.expire(3)).toBe(3);
    await shop.expectUnbroken();
  });

  it('by several at once ends each order once', async () => {
    for (let n = 0; n < 30; n++) await shop.orderAt();
    await makeDue();
    const counts = await Promise.all(Array.from({ length: 8 }, () => shop.orders.expire(10)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(await expiredOnes());
    while ((await shop.orders.expire(10)) > 0);
    expect(await expiredOnes()).toBe(30);
    const ended = (await shop.events()).filter(({ type }) => type === 'order.expired');
    expect(new Set(ended.map(({ data }) => data['order']?.['id'])).size).toBe(30);
    expect(ended).toHaveLength(30);
    await shop.expectUnbroken();
  });

  it('is the only thing that can happen to an order after its time', async () => {
    const { id } = await shop.orderAt('approve');
    await makeDue();
    for (const action of ['deliver', 'cancel', 'decline'] as const)
      await expect(shop.act(id, action)).rejects.toThrow('The time of this order is up: it can only expire.');
    expect(await shop.act(id, 'approve')).toMatchObject({ status: 'approved' });
    expect(await shop.orders.expire(1)).toBe(1);
    await expect(shop.act(id, 'approve')).rejects.toThrow('An expired order is final.');
  });

  it('does not end what was decided before it came to it', async () => {
    const { id, pet } = await shop.orderAt();
    await makeDue();
    const desk = new Client(shop.feed.postgres.url);
    await desk.connect();
    await desk.query('begin');
    await desk.query('select from pets where id = $1 for update', [pet.id]);
    expect(await shop.orders.expire(1)).toBe(0);
    await desk.query(`update orders set status = 'cancelled', expires_at = null where id = $1`, [id]);
    await desk.query(`update pets set status = 'available' where id = $1`, [pet.id]);
    await desk.query('commit');
    await desk.end();
    expect(await shop.orders.expire(1)).toBe(0);
    expect(await shop.row(id)).toMatchObject({ status: 'cancelled' });
  });

  it('goes by the clock of the database', async () => {
    const { id } = await shop.orderAt();
    const realNow = Date.now;
    Date.now = () => realNow() + 1_000 * 3_600_000;
    try {
      expect(await shop.orders.expire(1)).toBe(0);
      expect(await shop.act(id, 'approve')).toMatchObject({ status: 'approved' });
    } finally {
      Date.now = realNow;
    }
  });
});
