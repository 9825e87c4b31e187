import { Receiver } from '@petstore/test-servers';
import {
  type DelivererOptions,
  type DeliveryOutcome,
  SecretSealer,
  type SenderOptions,
  WebhookDeliverer,
  type WebhookId,
  WebhookSecret,
  WebhookSender,
  WebhookTargets,
} from '@petstore/webhook';
import { Webhook } from 'standardwebhooks';
import type { Stores } from './stores.js';
import { Subscriptions } from './subscriptions.js';

const TARGETS = new WebhookTargets({ allowedNetworks: ['127.0.0.0/8'], http: true });
const SEALER = new SecretSealer('a pepper of the tests');

export interface DelivererSettings extends DelivererOptions {
  readonly stores?: Stores;
  readonly sender?: Partial<SenderOptions>;
}

/** A database, receivers on the loopback interface, and those who deliver between them. */
export class Deliverers {
  readonly secret = WebhookSecret.generate();
  /** What was written down, and how often. */
  readonly outcomes: Partial<Record<DeliveryOutcome, number>> = {};
  readonly lines: string[] = [];
  private readonly receivers: Receiver[] = [];
  private readonly deliverers: WebhookDeliverer[] = [];

  private constructor(readonly shop: Subscriptions) {}

  static async open(): Promise<Deliverers> {
    return new Deliverers(await Subscriptions.open());
  }

  async close(): Promise<void> {
    await this.shop.close();
  }

  async reset(): Promise<void> {
    await this.end();
    await this.shop.reset();
    await this.shop.key('key_1');
    for (const outcome of Object.keys(this.outcomes)) Reflect.deleteProperty(this.outcomes, outcome);
    this.lines.length = 0;
  }

  /** Ends all deliverers and receivers. */
  async end(): Promise<void> {
    await Promise.all(this.deliverers.splice(0).map((deliverer) => deliverer.stop(100)));
    await Promise.all(this.receivers.splice(0).map((receiver) => receiver.close()));
  }

  async receiver(): Promise<Receiver> {
    const receiver = await Receiver.http();
    this.receivers.push(receiver);
    return receiver;
  }

  /** An endpoint at a URL, whose deliveries are signed with {@link secret}. */
  endpoint(url: string, keyId = 'key_1'): Promise<WebhookId> {
    return this.shop.endpoint(keyId, { url, sealed: SEALER.seal(this.secret) });
  }

  async endpointAt(receiver: Receiver, keyId?: string): Promise<WebhookId> {
    return this.endpoint(receiver.url(), keyId);
  }

  /** A deliverer that has started. */
  start({ stores = this.shop.feed.stores, sender, ...options }: DelivererSettings = {}): WebhookDeliverer {
    const deliverer = new WebhookDeliverer(
      {
        queue: stores.deliveryQueue,
        sender: new WebhookSender({
          targets: TARGETS,
          connectTimeoutMs: 1_000,
          totalTimeoutMs: 2_000,
          ...sender,
        }),
        sealer: SEALER,
        signal: stores.deliverySignal,
        log: {
          info: (fields, message) => this.lines.push(`info: ${message} ${JSON.stringify(fields)}`),
          warn: (_fields, message) => this.lines.push(`warn: ${message}`),
        },
        observe: (outcome, count) => (this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + count),
      },
      options,
    );
    this.deliverers.push(deliverer);
    deliverer.start();
    return deliverer;
  }

  /** So many events about animals. */
  happen(count: number): Promise<void> {
    return this.shop.happen(...Array.from({ length: count }, () => ['pet.updated'] as const));
  }

  /** So many events at once. */
  async happenAtOnce(count: number): Promise<void> {
    await this.shop.feed.admin.query(
      `insert into outbox (type, resource, data)
       select 'pet.deleted', 'pet', '{"pet":{"id":' || n || ',"name":"Rex","categoryId":1,"status":"sold"}}'
       from generate_series(1, $1::int) n`,
      [count],
    );
    await this.shop.feed.drain();
  }

  /** Ids of the messages that a receiver has got; each is verified by an independent implementation. */
  verified(receiver: Receiver): string[] {
    return receiver.received.map(({ body, headers }) => {
      const { id } = new Webhook(this.secret).verify(body, headers) as { id: number };
      if (headers['webhook-id'] !== `evt_${id}`)
        throw new Error('The id is another one than that of the event.');
      return `evt_${id}`;
    });
  }

  /** How many deliveries there are of each state. */
  async states(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await this.shop.feed.admin.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from webhook_deliveries group by status order by status',
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }
}
