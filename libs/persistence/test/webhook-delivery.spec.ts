import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Receiver } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Deliverers } from './deliverers.js';
import { TestDatabase } from './test-database.js';
import { KEY, TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);
const deliverers = new Deliverers(webhooks);

/** Longer than any wait of a test: whatever waits for an attempt that hangs fails its test. */
const HANGING = { sender: { totalTimeoutMs: 60_000 } };

const noContent = (response: ServerResponse): unknown => response.writeHead(204).end();
const untilReceived = (receiver: Receiver, count: number): Promise<true> =>
  waitFor(() => receiver.received.length >= count);
const untilStates = async (states: Readonly<Record<string, number>>): Promise<void> => {
  await waitFor(async () => isDeepStrictEqual(await webhooks.states(), states));
};

describe('an event', () => {
  it('that was queued by another process is found within seconds', async () => {
    const receiver = await deliverers.receiver();
    await deliverers.endpointAt(receiver);
    deliverers.start({ stores: await db.open() });
    await webhooks.updates(1);
    await untilReceived(receiver, 1);
    expect(deliverers.verified(receiver)).toEqual(['evt_1']);
  });

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

describe('an endpoint', () => {
  it('that is gone is disabled, and nothing more is sent', async () => {
    const receiver = await deliverers.receiver();
    receiver.respond = (response) => response.writeHead(410).end();
    await deliverers.endpointAt(receiver);
    deliverers.start();
    await webhooks.updates(1);
    await waitFor(() => deliverers.log.length > 0);
    expect(deliverers.log).toEqual(['info: webhook disabled {"webhookId":"1","reason":"gone"}']);
    await webhooks.updates(2);
    expect(await webhooks.states()).toEqual({ failed: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  it('gets four at a time at the most, and after its key is revoked what was claimed by then', async () => {
    const receiver = await deliverers.receiver();
    const waiting: ServerResponse[] = [];
    let respond = (response: ServerResponse): unknown => waiting.push(response);
    receiver.respond = (response) => respond(response);
    await deliverers.endpointAt(receiver);
    deliverers.start(HANGING);
    await webhooks.updates(30);
    await untilReceived(receiver, 4);
    await webhooks.key(KEY, { revokedAt: 'now()' });
    expect(receiver.received).toHaveLength(4);
    respond = noContent;
    for (const response of waiting) respond(response);
    const { outcomes } = deliverers;
    await waitFor(() => (outcomes.delivered ?? 0) + (outcomes.dropped ?? 0) === 30);
    expect(outcomes).toEqual({ delivered: 4, dropped: 26, failed: 0 });
    expect(receiver.received).toHaveLength(4);
    expect(await webhooks.states()).toEqual({ delivered: 4, dropped: 26 });
  });
});

it.each<[string, (receiver: Receiver) => void]>([
  ['hangs', (receiver) => (receiver.respond = () => undefined)],
  ['resets', (receiver) => (receiver.respond = (_response, _received, socket) => socket.resetAndDestroy())],
])('hundreds of events for a dead endpoint that %s delay a healthy one by a moment', async (_what, die) => {
  /** Far more than a sender holds at a time, for all endpoints together. */
  const MANY = 300;
  const [dead, healthy] = [await deliverers.receiver(), await deliverers.receiver()];
  await deliverers.endpointAt(dead);
  await deliverers.endpointAt(healthy);
  die(dead);
  deliverers.start(HANGING);
  await webhooks.updates(MANY);
  await untilReceived(healthy, MANY);
  // And while the dead one is called again and again, what happens next arrives.
  await webhooks.updates(1);
  await untilReceived(healthy, MANY + 1);
  expect(new Set(deliverers.verified(healthy)).size).toBe(MANY + 1);
});

describe('two senders', () => {
  it('share what is due, and nothing is sent twice', async () => {
    const receivers = await Promise.all(Array.from({ length: 5 }, () => deliverers.receiver()));
    for (const receiver of receivers) await deliverers.endpointAt(receiver);
    deliverers.start();
    deliverers.start({ stores: await db.open() });
    await webhooks.updates(40);
    await untilStates({ delivered: 200 });
    for (const receiver of receivers) {
      expect(receiver.received).toHaveLength(40);
      expect(new Set(deliverers.verified(receiver)).size).toBe(40);
    }
  });

  it('replace each other: what one had claimed when it was cut off is repeated after its lease', async () => {
    const receiver = await deliverers.receiver();
    await deliverers.endpointAt(receiver);
    const doomed = await db.open();
    // It sends, and can never record that.
    receiver.respond = (response) => void doomed.close().finally(() => noContent(response));
    deliverers.start({ stores: doomed, leaseMs: 2_000 });
    await webhooks.updates(20);
    await untilReceived(receiver, 1);
    receiver.respond = noContent;
    deliverers.start({ leaseMs: 2_000 });
    await untilStates({ delivered: 20 });
    const ids = deliverers.verified(receiver);
    expect(new Set(ids).size).toBe(20);
    expect(ids.length).toBeGreaterThan(20);
  });
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
