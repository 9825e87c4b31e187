import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '@petstore/test-servers';
import { etagOf, PetStoreClient, type WebhookDelivery } from '../src/index.js';
import { collect, failureOf, proxiedStore } from './proxied-store.js';

const running = proxiedStore();
let client: PetStoreClient;

const CUT: Fault = { kind: 'cut-after-work' };

const connect = (): Promise<PetStoreClient> => running.connect('pets:read,pets:write,webhooks:manage');

beforeEach(async () => {
  client = await connect();
});

const SHOP = { url: 'https://shop.example/petstore' };
/** All deliveries, as soon as there are so many. */
async function deliveries(id: bigint, count: number): Promise<WebhookDelivery[]> {
  for (const deadline = Date.now() + 30_000; ;) {
    const all = await collect(client.webhooks.deliveries(id, { limit: 1 }));
    if (all.length >= count || Date.now() > deadline) return all;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('webhooks', () => {
  it('are added, changed, listed and removed', async () => {
    const { secret, ...webhook } = await client.webhooks.create({ ...SHOP, types: ['pet.*'] });
    expect(secret).toMatch(/^whsec_/);
    expect(typeof webhook.id).toBe('bigint');
    const found = await client.webhooks.get(webhook.id);
    expect(found).toEqual(webhook);
    const changed = await client.webhooks.update(webhook.id, { types: null }, { ifMatch: etagOf(found) });
    expect(changed).not.toHaveProperty('types');
    expect(await client.webhooks.list()).toEqual([changed]);
    const late = client.webhooks.delete(webhook.id, { ifMatch: etagOf(found) });
    expect(await failureOf(late)).toMatchObject({ code: 'precondition_failed', etag: etagOf(changed) });
    await client.webhooks.delete(webhook.id, { ifMatch: etagOf(changed) });
    expect(await failureOf(client.webhooks.get(webhook.id))).toMatchObject({ code: 'webhook_not_found' });
  });

  it('tell whether one was added whose response was lost', async () => {
    running.proxy.next(CUT);
    expect(await failureOf(client.webhooks.create(SHOP))).toMatchObject({
      code: 'webhook_url_taken',
      details: { isAfterUnknownOutcome: true },
    });
    const [webhook] = await client.webhooks.list();
    expect(webhook).toMatchObject(SHOP);
    const taken = await failureOf(client.webhooks.create(SHOP));
    expect(taken).toMatchObject({ code: 'webhook_url_taken', details: { isAfterUnknownOutcome: false } });
    running.proxy.next(CUT);
    await client.webhooks.delete(webhook?.id ?? 0n);
    expect(await client.webhooks.list()).toEqual([]);
  });

  it('have their secrets replaced once, however the connection ends', async () => {
    const { id, secret } = await client.webhooks.create(SHOP);
    const rotated = await client.webhooks.rotateSecret(id, { overlapHours: 1 });
    expect(rotated.secret).not.toBe(secret);
    running.proxy.seen();
    running.proxy.next(CUT);
    expect(await failureOf(client.webhooks.rotateSecret(id))).toMatchObject({ name: 'NoAnswerError' });
    expect(running.proxy.seen()).toHaveLength(1);
  });

  it('show their deliveries, and deliver again', async () => {
    const { id } = await client.webhooks.create(SHOP);
    const test = await client.webhooks.test(id);
    expect(test).toMatchObject({ type: 'webhook.test', attempts: 0 });
    const { position } = await client.listEvents({ after: 'latest' });
    await client.createPet({ name: 'Rex', categoryId: 7 });
    const [delivery] = await deliveries(id, 2);
    expect(delivery).toMatchObject({ type: 'pet.created' });
    expect(typeof delivery?.eventId).toBe('bigint');
    const again = await client.webhooks.redeliver(id, delivery?.id ?? 0n);
    expect(again).toMatchObject({ id: delivery?.id, status: 'pending' });
    expect(await client.webhooks.recover(id, position)).toEqual({ requeued: 0 });
    const refusals = {
      delivery_not_found: client.webhooks.redeliver(id, test.id),
      position_gone: client.webhooks.recover(id, position + 1_000_000n),
      webhook_not_found: client.webhooks.test(id + 1_000n),
    };
    for (const [code, refusal] of Object.entries(refusals))
      expect(await failureOf(refusal)).toMatchObject({ code });
    await client.webhooks.update(id, { status: 'disabled' });
    expect(await failureOf(client.webhooks.recover(id, position))).toMatchObject({
      code: 'webhook_disabled',
    });
  });

  it('take exact ids only', async () => {
    for (const rounded of [
      client.webhooks.get(2 ** 53),
      client.webhooks.redeliver(1, 0.5),
      client.webhooks.recover(1, 2 ** 53),
    ])
      await expect(rounded).rejects.toThrow(RangeError);
  });
});
