import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, type EventResource, visibleEvents } from '@petstore/event-feed';
import { WebhookTypes } from '@petstore/webhook';
import fc from 'fast-check';
import { TestDatabase } from './test-database.js';
import { KEY, MANAGE, TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);

/** Which endpoint is sent which event, in the order in which it is. */
const queued = async (): Promise<string[]> =>
  (await webhooks.deliveries()).map(({ webhook, position, type }) => `${webhook} ${position ?? ''} ${type}`);

describe('an event that gets its position', () => {
  it('is queued for no endpoint that is disabled, nor of a key that is revoked, expired or narrowed', async () => {
    await webhooks.key('key_2', { revokedAt: 'now()' });
    await webhooks.key('key_3', { expiresAt: `now() - interval '1 second'` });
    await webhooks.key('key_4', { scopes: [MANAGE, 'orders:read'] });
    await webhooks.key('key_5', { scopes: ['pets:read'] });
    await webhooks.key('key_6', { expiresAt: `now() + interval '1 hour'` });
    await webhooks.endpoint({ status: 'disabled' });
    for (let n = 2; n <= 6; n++) await webhooks.endpoint({}, `key_${n}`);
    await webhooks.happen(['pet.updated']);
    expect(await queued()).toEqual(['6 1 pet.updated']);
  });

  it('notifies the deliverer, if there are any', async () => {
    let notified = 0;
    const unlisten = db.stores.deliveryNotifier.listen(() => notified++);
    await webhooks.happen(['pet.updated']);
    await webhooks.key(KEY, { scopes: [MANAGE, 'orders:read'] });
    await webhooks.endpoint();
    await webhooks.happen(['pet.updated']);
    expect(notified).toBe(0);
    await webhooks.happen(['order.placed', KEY]);
    expect(notified).toBe(1);
    unlisten();
  });

  it('is queued by the rules of the domain, in the order of events, due at once, whatever types and scopes there are', async () => {
    const scopes = fc.subarray([MANAGE, 'pets:read', 'orders:read', 'orders:manage', 'other'], {
      minLength: 1,
    });
    const types = fc.option(fc.subarray([...WebhookTypes.ALL], { minLength: 1 }), { nil: undefined });
    const events = EVENT_TYPES.flatMap((type): (readonly [string, string?])[] =>
      type.startsWith('order.')
        ? [
            [type, 'own_0'],
            [type, 'own_7'],
          ]
        : [[type]],
    );
    const endpoints = fc.sample(fc.record({ scopes, types }), 60);
    for (const [n, endpoint] of endpoints.entries()) {
      await webhooks.key(`own_${n}`, { scopes: endpoint.scopes });
      await webhooks.endpoint({ types: endpoint.types }, `own_${n}`);
    }
    await webhooks.happen(...events);
    const expected = events.flatMap(([type, audience], at) =>
      endpoints.flatMap((endpoint, n) => {
        const held: ReadonlySet<string> = new Set(endpoint.scopes);
        const { resources, audience: own } = visibleEvents({ keyId: `own_${n}`, scopes: held });
        const resource = type.slice(0, type.indexOf('.')) as EventResource;
        const sees = resources.includes(resource) || (audience !== undefined && audience === own);
        const asksFor = endpoint.types?.some((one) => one === type || one === `${resource}.*`) ?? true;
        return held.has(MANAGE) && sees && asksFor ? [`${n + 1} ${at + 1} ${type}`] : [];
      }),
    );
    expect(await queued()).toEqual(expected);
    expect(await webhooks.queue.backlog()).toMatchObject({ due: expected.length });
  });

  it('waits for an endpoint that is being removed, and is queued for the others', async () => {
    const [removed] = [await webhooks.endpoint(), await webhooks.endpoint()];
    const removing = await db.session();
    await removing.query('begin');
    await removing.query('delete from webhooks where id = $1', [removed]);
    const happening = webhooks.happen(['pet.updated']);
    await db.untilBlocked();
    await removing.query('commit');
    await happening;
    expect(await queued()).toEqual(['2 1 pet.updated']);
  });
});
