import { afterEach, expect, it } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import { SecretSealer } from '../secret/secret-sealer.js';
import { WebhookSecret } from '../secret/webhook-secret.js';
import type { AttemptOutcome } from '../sending/attempt-outcome.js';
import { type WebhookMessage, WebhookSender } from '../sending/webhook-sender.js';
import { closeOpened, LOOPBACK, openReceiver } from '../testing/test-sender.js';
import type { WebhookId } from '../endpoint/webhook-id.js';
import type { DeliveryId } from './delivery-id.js';
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.js';
import { DeliverySignal } from './delivery-signal.js';
import { WebhookDeliverer } from './webhook-deliverer.js';

const ENDPOINTS = 12;
const EACH = 3;

/** Notes in which turn of the event loop an attempt begins. */
class NotingSender extends WebhookSender {
  readonly turns: number[] = [];
  private turn = 0;
  private next = setImmediate(() => {
    this.count();
  });

  override send(message: WebhookMessage, signal: AbortSignal): Promise<AttemptOutcome> {
    this.turns.push(this.turn);
    return super.send(message, signal);
  }

  override close(): void {
    clearImmediate(this.next);
    super.close();
  }

  private count(): void {
    this.turn++;
    this.next = setImmediate(() => {
      this.count();
    });
  }
}

/** Has the deliveries once; what is settled is kept. */
class OnceQueue implements DeliveryQueue {
  settled = 0;

  constructor(private deliveries: readonly ClaimedDelivery[]) {}

  claim(): ReturnType<DeliveryQueue['claim']> {
    const { deliveries } = this;
    this.deliveries = [];
    return Promise.resolve({ deliveries, dropped: 0, failed: 0, hasMore: false });
  }

  settle(attempts: Parameters<DeliveryQueue['settle']>[0]): Promise<readonly []> {
    this.settled += attempts.length;
    return Promise.resolve([]);
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  due(): Promise<number> {
    return Promise.resolve(this.deliveries.length);
  }
}

afterEach(closeOpened);

it('begins one attempt in a turn of the event loop, so that others are served in between', async () => {
  const receiver = await openReceiver(Receiver.http());
  const sealer = new SecretSealer('a pepper of the tests');
  const sealedSecrets = [sealer.seal(WebhookSecret.generate())];
  const queue = new OnceQueue(
    Array.from({ length: ENDPOINTS * EACH }, (_, n) => ({
      id: String(n + 1) as DeliveryId,
      webhookId: String((n % ENDPOINTS) + 1) as WebhookId,
      messageId: `evt_${n}`,
      isTest: false,
      attempt: 1,
      attemptedBefore: undefined,
      url: receiver.url(),
      sealedSecrets,
      body: '{}',
    })),
  );
  const sender = new NotingSender({ targets: LOOPBACK });
  const log = { info: () => undefined, warn: () => undefined };
  const deliverer = new WebhookDeliverer({
    queue,
    sender,
    sealer,
    log,
    signal: new DeliverySignal(),
    observe: () => undefined,
  });
  deliverer.start();
  while (queue.settled < ENDPOINTS * EACH) await new Promise((resolve) => setTimeout(resolve, 10));
  await deliverer.stop(1_000);
  expect(sender.turns).toHaveLength(ENDPOINTS * EACH);
  expect(new Set(sender.turns).size).toBe(ENDPOINTS * EACH);
});
