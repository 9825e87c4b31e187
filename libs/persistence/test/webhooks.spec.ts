import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, type EventResource, visibleEvents } from '@petstore/event-feed';
import { type WebhookId, WebhookTypes, type WebhookUrl } from '@petstore/webhook';
import fc from 'fast-check';
import { outcomeOf } from './outcomes.js';
import { TestDatabase } from './test-database.js';
import { KEY, MANAGE, TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);

/** Which endpoint is sent which event, in the order in which it is. */
const queued = async (): Promise<string[]> =>
  (await webhooks.deliveries()).map(({ webhook, position, type }) => `${webhook} ${position ?? ''} ${type}`);
const urlOf = (name: string): WebhookUrl => `https://${name}.example/` as WebhookUrl;
const add = async (name: string): Promise<WebhookId> => {
  const { id } = await db.stores.webhooks.add({ keyId: KEY, url: urlOf(name) }, Buffer.from('first'));
  return id;
};

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

describe('a change of an endpoint', () => {
  it('happens one after the other: two that exchange URLs do not wait for each other', async () => {
    const [a, b] = [await add('a'), await add('b')];
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all([
        outcomeOf(webhooks.patch(a, { url: urlOf('b') })),
        outcomeOf(webhooks.patch(b, { url: urlOf('a') })),
      ]);
      expect(outcomes).toContain('WebhookUrlTakenError');
    }
  });

  it('fails what was still to be delivered when it disables, and nothing else', async () => {
    const [id, other] = [await add('a'), await add('b')];
    await webhooks.delivery(id, '1', 'pending');
    await webhooks.delivery(id, '2', 'delivered');
    await webhooks.delivery(other, '1', 'pending');
    await webhooks.delivery(id, null, 'pending');
    await webhooks.patch(id, { status: 'disabled' });
    // A disabled endpoint gets tests, too.
    const statuses = (await webhooks.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(['failed', 'delivered', 'pending', 'pending']);
  });
});

describe('a rotation of the secret', () => {
  const rotate = (id: WebhookId, secret: string, hours: number): Promise<unknown> =>
    db.stores.webhooks.rotateSecret({ id, keyId: KEY }, Buffer.from(secret), hours);
  /** The secrets that are kept, newest first, and for how many hours from now. */
  const secrets = async (): Promise<unknown[]> => {
    const rows = await db.query<{ sealed: Buffer; hours: number | null }>(
      `select sealed, round(extract(epoch from valid_until - now()) / 3600)::int as hours
       from webhook_secrets order by id desc`,
    );
    return rows.map(({ sealed, hours }) => [sealed.toString(), hours]);
  };

  it('leaves two secrets, one of them current, when many rotate at once', async () => {
    const id = await add('a');
    await Promise.all(Array.from({ length: 8 }, (_, n) => rotate(id, `secret ${n}`, 24)));
    expect(await secrets()).toEqual([
      [expect.any(String), null],
      [expect.any(String), 24],
    ]);
  });
});
