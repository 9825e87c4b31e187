import { afterEach, beforeEach } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import {
  type DELIVERY_OUTCOMES,
  SecretSealer,
  WebhookDeliverer,
  type WebhookId,
  WebhookSecret,
  WebhookSender,
  AddressPolicy,
} from '@petstore/webhook';
import { Webhook } from 'standardwebhooks';
import type { Stores } from './stores.js';
import type { TestWebhooks } from './test-webhooks.js';

const POLICY = new AddressPolicy({ allowedNetworks: ['127.0.0.0/8'], http: true });
const SEALER = new SecretSealer('a pepper of the tests');

export interface DelivererSettings {
  readonly leaseMs?: number;
  readonly stores?: Stores;
  readonly sender?: Partial<ConstructorParameters<typeof WebhookSender>[0]>;
}

/** Receivers on the loopback interface and deliverers that send to them; all end with the test. */
export class Deliverers {
  readonly secret = WebhookSecret.generate();
  /** How often each outcome was counted. */
  readonly outcomes: Partial<Record<(typeof DELIVERY_OUTCOMES)[number], number>> = {};
  readonly log: string[] = [];
  private readonly receivers: Receiver[] = [];
  private readonly deliverers: WebhookDeliverer[] = [];

  constructor(private readonly webhooks: TestWebhooks) {
    beforeEach(() => {
      for (const outcome of Object.keys(this.outcomes)) Reflect.deleteProperty(this.outcomes, outcome);
      this.log.length = 0;
    });
    afterEach(async () => {
      await Promise.all(this.deliverers.splice(0).map((deliverer) => deliverer.stop(100)));
      await Promise.all(this.receivers.splice(0).map((receiver) => receiver.close()));
    });
  }

  async receiver(): Promise<Receiver> {
    const receiver = await Receiver.http();
    this.receivers.push(receiver);
    return receiver;
  }

  /** An endpoint at this receiver, whose deliveries are signed with {@link secret}. */
  endpointAt(receiver: Receiver, path?: string): Promise<WebhookId> {
    const url = path === undefined ? receiver.url() : receiver.url('127.0.0.1', path);
    return this.webhooks.endpoint({ url, sealed: this.seal() });
  }

  /** {@link secret} as it is stored. */
  seal(): Buffer {
    return SEALER.seal(this.secret);
  }

  /** So many endpoints at this receiver. */
  async endpointsAt(receiver: Receiver, count: number): Promise<void> {
    for (let n = 0; n < count; n++) await this.endpointAt(receiver, `/${n}`);
  }

  /** Starts to deliver, as one process of the service does. */
  start({ stores = this.webhooks.db.stores, sender, ...lease }: DelivererSettings = {}): void {
    const note = (level: string) => (fields: object, message: string) => {
      this.log.push(`${level}: ${message} ${JSON.stringify(fields)}`);
    };
    const deliverer = new WebhookDeliverer({
      queue: stores.deliveryQueue,
      sender: new WebhookSender({
        policy: POLICY,
        connectTimeoutMs: 1_000,
        totalTimeoutMs: 2_000,
        ...sender,
      }),
      sealer: SEALER,
      notifier: stores.deliveryNotifier,
      log: { info: note('info'), warn: note('warn') },
      observe: (outcome, count) => (this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + count),
      ...lease,
    });
    this.deliverers.push(deliverer);
    deliverer.start();
  }

  /** Ids of the messages that a receiver has got; each is verified by an independent implementation. */
  verified(receiver: Receiver): string[] {
    return receiver.received.map(({ body, headers }) => {
      const { id } = new Webhook(this.secret).verify(body, headers) as { id: number };
      if (headers['webhook-id'] !== `evt_${id}`) throw new Error('The id is not that of the event.');
      return `evt_${id}`;
    });
  }
}
