import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { WebhookId } from '../endpoint/webhook.js';
import { SecretSealer } from '../secret/secret-sealer.js';
import { WebhookSecret } from '../secret/webhook-secret.js';
import { closeOpened, openReceiver, openSender, standStill } from '../testing/test-sender.js';
import type { DeliveryId } from './delivery.js';
import {
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryQueue,
  DeliverySignal,
  type EndedAttempt,
} from './delivery-queue.js';
import { type DelivererOptions, WebhookDeliverer } from './webhook-deliverer.js';

/** Has deliveries once, and rejects as often as a test says. */
class TestQueue implements DeliveryQueue {
  readonly claims: ClaimRequest[] = [];
  readonly acknowledged: EndedAttempt[] = [];
  readonly released: ClaimedDelivery[] = [];
  /** When it was called, and when it rejected, on the clock of `performance.now()`. */
  readonly calledAt: number[] = [];
  readonly failedAt: number[] = [];
  failures = 0;
  waiting: ClaimedDelivery[] = [];

  claim(request: ClaimRequest): ReturnType<DeliveryQueue['claim']> {
    this.claims.push(request);
    return this.done({ deliveries: this.failures > 0 ? [] : this.waiting.splice(0), dropped: 0, failed: 0 });
  }

  async acknowledge(attempts: readonly EndedAttempt[]): Promise<readonly []> {
    await this.done(undefined);
    this.acknowledged.push(...attempts);
    return [];
  }

  release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    this.released.push(...deliveries);
    return Promise.resolve();
  }

  private done<T>(result: T): Promise<T> {
    this.calledAt.push(performance.now());
    if (this.failures-- <= 0) return Promise.resolve(result);
    this.failedAt.push(performance.now());
    return Promise.reject(new Error('The database is unavailable.'));
  }
}

const sealer = new SecretSealer('a pepper of the tests');
const sealedSecrets = [sealer.seal(WebhookSecret.generate())];

let queue: TestQueue;
let deliverer: WebhookDeliverer;
let receiver: Receiver;
let lines: string[];
let signal: DeliverySignal;

beforeAll(async () => {
  // To load it may take a test more than the second after which an endpoint is slow.
  await import('../sending/endpoint-agent.js');
});
beforeEach(async () => {
  receiver = await openReceiver(Receiver.http());
  queue = new TestQueue();
  lines = [];
  signal = new DeliverySignal();
  open();
});
afterEach(async () => {
  await deliverer.stop(0);
  await closeOpened();
});

function open(sender = openSender(), options?: DelivererOptions): void {
  const note = (_fields: object, message: string): unknown => lines.push(message);
  const log = { info: note, warn: note };
  deliverer = new WebhookDeliverer({ queue, sender, sealer, signal, log, observe: () => undefined }, options);
}

const deliveries = (count: number, endpoints: number): ClaimedDelivery[] =>
  Array.from({ length: count }, (_, n) => ({
    id: String(n + 1) as DeliveryId,
    webhookId: String((n % endpoints) + 1) as WebhookId,
    messageId: `evt_${n}`,
    priorityClass: 'fast',
    isTest: false,
    attempt: 1,
    attemptedBefore: null,
    url: receiver.url(),
    sealedSecrets,
    body: '{}',
  }));

it('begins one attempt in a tick of the event loop, so that requests are served in between', async () => {
  const sender = openSender();
  const send = sender.send.bind(sender);
  let tick = 0;
  const ticks: number[] = [];
  sender.send = (message) => {
    ticks.push(tick);
    return send(message);
  };
  const counting = new AbortController();
  void (async () => {
    for (; !counting.signal.aborted; tick++) await new Promise(setImmediate);
  })();
  open(sender);
  queue.waiting = deliveries(36, 12);
  deliverer.start();
  await waitFor(() => queue.acknowledged.length === 36);
  counting.abort();
  expect(ticks).toHaveLength(36);
  expect(new Set(ticks).size).toBe(36);
});

it('makes four attempts at a time, and releases what waits behind one that takes longer than a second', async () => {
  // Classes without news are looked at each second: the attempts last for a look after they have become slow.
  open(openSender({ totalTimeoutMs: 3_500 }));
  receiver.respond = () => undefined;
  queue.waiting = deliveries(12, 2);
  deliverer.start();
  await waitFor(() => receiver.received.length === 8);
  const of = (count: number) => new Map(['1', '2'].map((id) => [id, count]));
  const limits = (claim?: ClaimRequest) => Object.values(claim?.classes ?? {}).map(({ limit }) => limit);
  const afterFirst = await waitFor(() => queue.claims.find(({ held }) => held.size > 0));
  expect(afterFirst).toMatchObject({ held: of(6), slow: [] });
  // Only the class in which something was found is looked at again.
  expect(limits(afterFirst)).toEqual([52, 0, 0]);
  const afterSlow = await waitFor(() => queue.claims.find(({ classes }) => classes.slow.limit === 24));
  // The places of those that are not slow are free again, though the attempts have not ended.
  expect(afterSlow).toMatchObject({ held: of(4), slow: ['1', '2'] });
  expect(limits(afterSlow)).toEqual([64, 32, 24]);
  expect(queue.released).toHaveLength(4);
  expect(receiver.received).toHaveLength(8);
  await waitFor(() => queue.acknowledged.length === 8);
  expect(queue.acknowledged.every(({ isSlow }) => isSlow)).toBe(true);
  await waitFor(() => limits(queue.claims.at(-1)).join() === '64,32,32');
});

it('releases what has waited for half of its lease because the process stood still: it may be that of others', async () => {
  open(undefined, { leaseMs: 1_000 });
  receiver.respond = (response) => {
    if (receiver.received.length === 4) standStill(600);
    response.writeHead(204).end();
  };
  queue.waiting = deliveries(8, 1);
  deliverer.start();
  await waitFor(() => queue.acknowledged.length + queue.released.length === 8);
  expect(queue.released.length).toBeGreaterThan(0);
});

it('releases what a stop has aborted though the process stood still at the end of its grace', async () => {
  receiver.respond = () => undefined;
  queue.waiting = deliveries(1, 1);
  deliverer.start();
  await waitFor(() => receiver.received.length === 1);
  const stopped = deliverer.stop(100);
  standStill(1_500);
  await stopped;
  expect(queue.released).toHaveLength(1);
});

it('says once that the queue fails, waits for a second whatever wakes it, and loses no result', async () => {
  queue.waiting = deliveries(1, 1);
  receiver.respond = (response) => {
    queue.failures = 2;
    response.writeHead(204).end();
  };
  deliverer.start();
  await waitFor(() => {
    signal.notify();
    return lines.length === 2;
  });
  // Both failures are followed by a pause.
  for (const failedAt of queue.failedAt)
    expect(queue.calledAt.filter((at) => at > failedAt && at < failedAt + 990)).toEqual([]);
  expect(queue.failedAt).toHaveLength(2);
  expect(queue.acknowledged).toHaveLength(1);
  expect(lines).toEqual(['delivering webhooks failed, retrying', 'delivering webhooks works again']);
});
