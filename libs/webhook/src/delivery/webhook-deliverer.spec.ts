import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { WebhookId } from '../endpoint/webhook.js';
import { SecretSealer } from '../secret/secret-sealer.js';
import { WebhookSecret } from '../secret/webhook-secret.js';
import { closeOpened, openReceiver, openSender } from '../testing/test-sender.js';
import type { DeliveryId } from './delivery.js';
import {
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryQueue,
  DeliveryNotifier,
  type EndedAttempt,
} from './delivery-queue.js';
import { WebhookDeliverer } from './webhook-deliverer.js';

/** Has deliveries once, and rejects as often as a test says. */
class TestQueue implements DeliveryQueue {
  readonly claims: ClaimRequest[] = [];
  readonly acknowledged: EndedAttempt[] = [];
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

  release(): Promise<void> {
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
let notifier: DeliveryNotifier;

beforeAll(async () => {
  // To load it may take a test more than the second after which an endpoint is slow.
  await import('../sending/endpoint-agent.js');
});
beforeEach(async () => {
  receiver = await openReceiver(Receiver.http());
  queue = new TestQueue();
  lines = [];
  notifier = new DeliveryNotifier();
});
afterEach(async () => {
  await deliverer.stop(0);
  await closeOpened();
});

function start(sender = openSender()): void {
  const note = (_fields: object, message: string): unknown => lines.push(message);
  const log = { info: note, warn: note };
  deliverer = new WebhookDeliverer({ queue, sender, sealer, notifier, log, observe: () => undefined });
  deliverer.start();
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
  queue.waiting = deliveries(36, 12);
  start(sender);
  await waitFor(() => queue.acknowledged.length === 36);
  counting.abort();
  expect(new Set(ticks).size).toBe(36);
});

it('claims what each class has room for, and counts an attempt that takes longer than a second as slow', async () => {
  receiver.respond = () => undefined;
  queue.waiting = deliveries(8, 2);
  // The attempts last for a look after they have become slow.
  start(openSender({ totalTimeoutMs: 3_500 }));
  const limits = ({ room: { fast, slow } }: ClaimRequest) => [fast, slow];
  await waitFor(() => receiver.received.length === 8);
  const during = await waitFor(() => queue.claims.find((claim) => limits(claim)[0] === 56));
  expect(during.held).toEqual(
    new Map([
      ['1', 4],
      ['2', 4],
    ]),
  );
  // The places of the others are free again, though the attempts have not ended.
  await waitFor(() => queue.claims.some((claim) => limits(claim).join() === '64,56'));
  await waitFor(() => queue.acknowledged.length === 8);
  expect(queue.acknowledged.every(({ isSlow }) => isSlow)).toBe(true);
  await waitFor(() =>
    queue.claims.some((claim) => limits(claim).join() === '64,64' && claim !== queue.claims[0]),
  );
});

it('says once that the queue fails, waits for a second whatever wakes it, and loses no result', async () => {
  queue.waiting = deliveries(1, 1);
  receiver.respond = (response) => {
    queue.failures = 2;
    response.writeHead(204).end();
  };
  start();
  await waitFor(() => {
    notifier.notify();
    return lines.length === 2;
  });
  // Both failures are followed by a pause.
  for (const failedAt of queue.failedAt)
    expect(queue.calledAt.filter((at) => at > failedAt && at < failedAt + 990)).toEqual([]);
  expect(queue.failedAt).toHaveLength(2);
  expect(queue.acknowledged).toHaveLength(1);
  expect(lines).toEqual(['delivering webhooks failed, retrying', 'delivering webhooks works again']);
});
