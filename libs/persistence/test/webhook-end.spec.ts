import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookId } from '@petstore/webhook';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { REMOVED_WEBHOOKS } from '../src/webhooks/webhook.retention.js';
import { Endpoints, sealed, told } from './endpoints.js';
import { outcomeOf } from './outcomes.js';

let endpoints: Endpoints;

beforeAll(async () => {
  endpoints = await Endpoints.open();
});
afterAll(() => endpoints.close());
beforeEach(() => endpoints.reset());

describe('a rotation of the secret', () => {
  const rotate = (id: WebhookId, secret: string, hours: number): Promise<string | undefined> =>
    endpoints.webhooks.rotateSecret({ id, keyId: 'key_0' }, sealed(secret), hours);

  it('leaves the last one valid for the overlap', async () => {
    const id = await endpoints.add('a');
    expect(told(await rotate(id, 'second', 24))).toEqual(await endpoints.find(id));
    expect(await endpoints.secrets(id)).toEqual([
      ['second', null],
      ['first of a', 24],
    ]);
  });

  it('ends the one before the last at once', async () => {
    const id = await endpoints.add('a');
    await rotate(id, 'second', 168);
    await rotate(id, 'third', 24);
    expect(await endpoints.secrets(id)).toEqual([
      ['third', null],
      ['second', 24],
    ]);
  });

  it('ends all older ones when nothing is to overlap', async () => {
    const id = await endpoints.add('a');
    await rotate(id, 'second', 24);
    await rotate(id, 'third', 0);
    expect(await endpoints.secrets(id)).toEqual([['third', null]]);
  });

  it('leaves two secrets, one of them current, when many rotate at once', async () => {
    const id = await endpoints.add('a');
    await Promise.all(Array.from({ length: 8 }, (_, n) => rotate(id, `secret ${n}`, 24)));
    expect((await endpoints.secrets(id)).map(([, hours]) => hours)).toEqual([null, 24]);
  });
});

describe('the removal of an endpoint', () => {
  it('ends it for everybody at once, and frees its URL', async () => {
    const id = await endpoints.add('a');
    await endpoints.delivery(id, '1', 'pending');
    await endpoints.delivery(id, '2', 'delivered');
    const request = { id, keyId: 'key_0' };
    expect(await endpoints.webhooks.remove(request, () => undefined)).toBe(true);
    expect(await endpoints.webhooks.find(request)).toBeUndefined();
    expect(await endpoints.deliveries.list({ ...request, limit: 20 })).toBeUndefined();
    expect(await endpoints.webhooks.remove(request, () => undefined)).toBe(false);
    expect(await endpoints.secrets(id)).toEqual([]);
    expect(await endpoints.rows(`select from webhook_deliveries where status = 'pending'`)).toEqual([]);
    expect(await outcomeOf(endpoints.add('a'))).toBe('ok');
  });

  it('is none when the check refuses', async () => {
    const id = await endpoints.add('a');
    const refusal = new Error('changed');
    const refused = endpoints.webhooks.remove({ id, keyId: 'key_0' }, () => {
      throw refusal;
    });
    await expect(refused).rejects.toBe(refusal);
    expect(await endpoints.find(id)).toMatchObject({ id: Number(id) });
  });

  it('is followed by that of its deliveries, and leaves those of others', async () => {
    const [id, other] = [await endpoints.add('a'), await endpoints.add('b')];
    for (const each of [id, other]) await endpoints.delivery(each, '1', 'delivered');
    await endpoints.webhooks.remove({ id, keyId: 'key_0' }, () => undefined);
    const clear = async (age: number): Promise<number> => {
      let removed = 0;
      for (const rule of REMOVED_WEBHOOKS)
        removed += await removeOldRows(endpoints.feed.stores.database.manager, { ...rule, age });
      return removed;
    };
    expect(await clear(1)).toBe(0);
    expect(await clear(0)).toBe(2);
    expect(await endpoints.rows('select id from webhooks')).toEqual([{ id: other }]);
    expect(await endpoints.rows('select webhook_id from webhook_deliveries')).toEqual([
      { webhook_id: other },
    ]);
  });
});
