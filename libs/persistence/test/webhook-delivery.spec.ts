import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Receiver } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Deliverers } from './deliverers.js';
import { TestDatabase } from './test-database.js';
import { TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);
const deliverers = new Deliverers(webhooks);

const untilReceived = (receiver: Receiver, count: number): Promise<true> =>
  waitFor(() => receiver.received.length >= count);
const untilStates = async (states: Readonly<Record<string, number>>): Promise<void> => {
  await waitFor(async () => isDeepStrictEqual(await webhooks.states(), states));
};

describe('an event', () => {
  it('is attempted again after a failure, with the same id and another signature', async () => {
    const receiver = await deliverers.receiver();
    receiver.respond = (response) => response.writeHead(500).end();
    await deliverers.endpointAt(receiver);
    deliverers.start();
    await webhooks.updates(1);
    await waitFor(async () => (await webhooks.deliveries())[0]?.error === 'http_status');
    receiver.respond = (response) => response.writeHead(200).end('thank you');
    await webhooks.pass(6);
    await untilStates({ delivered: 1 });
    expect(await webhooks.deliveries()).toMatchObject([{ attempts: 2, error: null, response: 200 }]);
    expect(deliverers.verified(receiver)).toEqual(['evt_1', 'evt_1']);
    expect(deliverers.outcomes).toMatchObject({ retried: 1, delivered: 1 });
  });

  it('whose secret cannot be opened is put off, and the endpoint is not to blame', async () => {
    const receiver = await deliverers.receiver();
    await webhooks.endpoint({ url: receiver.url() });
    deliverers.start();
    await webhooks.updates(1);
    await waitFor(() => deliverers.log.some((line) => line.startsWith('warn: webhook not signed')));
    await waitFor(async () => (await webhooks.deliveries())[0]?.due === 60);
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(receiver.connections).toBe(0);
    expect(await db.count('webhooks where failing_since is null')).toBe(1);
  });
});

it('hundreds of events for a dead endpoint that hangs delay a healthy one by a moment', async () => {
  /** Far more than a sender holds at a time, for all endpoints together. */
  const MANY = 300;
  const [dead, healthy] = [await deliverers.receiver(), await deliverers.receiver()];
  await deliverers.endpointAt(dead);
  await deliverers.endpointAt(healthy);
  dead.respond = () => undefined;
  // Longer than any wait of a test: whatever waits for an attempt that hangs fails it.
  deliverers.start({ sender: { totalTimeoutMs: 60_000 } });
  await webhooks.updates(MANY);
  await untilReceived(healthy, MANY);
  // And while the dead one is called again and again, what happens next arrives.
  await webhooks.updates(1);
  await untilReceived(healthy, MANY + 1);
  expect(new Set(deliverers.verified(healthy)).size).toBe(MANY + 1);
});

it('loses nothing while the database is unavailable: what was sent is recorded, and the rest is sent', async () => {
  const receiver = await deliverers.receiver();
  await deliverers.endpointAt(receiver);
  deliverers.start({ leaseMs: 5_000 });
  await webhooks.updates(1);
  await untilReceived(receiver, 1);
  await webhooks.updates(100);
  await db.terminateSessions();
  await untilStates({ delivered: 101 });
  expect(new Set(deliverers.verified(receiver)).size).toBe(101);
});
