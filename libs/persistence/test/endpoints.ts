import type { EventPosition } from '@petstore/event-feed';
import type { DeliveryId, Webhook, WebhookId, WebhookPatch, WebhookUrl } from '@petstore/webhook';
import { patchWebhook } from '@petstore/webhook';
import type { DeliveryStore } from '../src/webhooks/delivery.store.js';
import type { WebhookStore } from '../src/webhooks/webhook.store.js';
import { Feed } from './feed.js';

/** An endpoint or a delivery, as readers get it. */
export type Told = Readonly<Record<string, unknown>> & { readonly id: number };

export const told = (json: string | undefined): Told => JSON.parse(json ?? '{}') as Told;

export const urlOf = (name: string): WebhookUrl => `https://${name}.example/` as WebhookUrl;

/** Nobody opens it here. */
export const sealed = (text: string): Buffer => Buffer.from(text);

/** A database with some keys and their endpoints, whose events are sequenced when a test says so. */
export class Endpoints {
  private constructor(readonly feed: Feed) {}

  static async open(): Promise<Endpoints> {
    const feed = await Feed.start();
    await feed.admin.query(
      `insert into api_keys (id, name, plan, scopes, created_at)
       select 'key_' || n, 'test', 'free', '{webhooks:manage,pets:read}', now() from generate_series(0, 3) n`,
    );
    return new Endpoints(feed);
  }

  close(): Promise<void> {
    return this.feed.stop();
  }

  async reset(): Promise<void> {
    await this.feed.admin.query('truncate webhooks restart identity cascade');
    await this.feed.reset();
  }

  get webhooks(): WebhookStore {
    return this.feed.stores.webhooks;
  }

  get deliveries(): DeliveryStore {
    return this.feed.stores.deliveries;
  }

  async add(name: string, keyId = 'key_0', types?: readonly string[]): Promise<WebhookId> {
    const { id } = await this.webhooks.add({ url: urlOf(name), types }, keyId, sealed(`first of ${name}`));
    return id;
  }

  async patch(id: WebhookId, patch: WebhookPatch, keyId = 'key_0'): Promise<Told> {
    return told(
      await this.webhooks.change({ id, keyId }, (current: Webhook) => patchWebhook(current, patch)),
    );
  }

  async find(id: WebhookId, keyId = 'key_0'): Promise<Told> {
    return told(await this.webhooks.find({ id, keyId }));
  }

  /** The secrets of an endpoint that are kept, newest first, and for how many hours from now. */
  async secrets(id: WebhookId): Promise<readonly (readonly [string, number | null])[]> {
    const rows = await this.rows<{ sealed: Buffer; hours: number | null }>(
      `select sealed, round(extract(epoch from valid_until - now()) / 3600)::int as hours
       from webhook_secrets where webhook_id = $1 order by id desc`,
      [id],
    );
    return rows.map(({ sealed, hours }) => [sealed.toString(), hours]);
  }

  /** Events about animals, without animals. @returns the position of the last one */
  async events(count: number, type = 'pet.updated', audience?: string): Promise<EventPosition> {
    const [row] = await this.rows<{ position: EventPosition }>(
      `with head as (update event_head set position = position + $1::int returning position), kept as (
         insert into events (position, type, resource, audience, json, happened_at)
         select head.position - $1::int + n, $2::text, split_part($2::text, '.', 1), $3::text, '{}', now()
         from head, generate_series(1, $1::int) n)
       select position from head`,
      [count, type, audience],
    );
    if (row === undefined) throw new Error('There is no feed.');
    return row.position;
  }

  /** A delivery that has come to this state. */
  async delivery(id: WebhookId, position: string | null, status: string): Promise<DeliveryId> {
    const [row] = await this.rows<{ id: DeliveryId }>(
      `insert into webhook_deliveries (webhook_id, position, type, status, attempts, next_attempt_at,
         last_attempt_at, response_status, error)
       values ($1, $2::bigint, case when $2::bigint is null then 'webhook.test' else 'pet.updated' end, $3::text, 7,
         case $3::text when 'pending' then now() + interval '1 hour' end, now(), 503, 'http_status') returning id`,
      [id, position, status],
    );
    if (row === undefined) throw new Error('There is no delivery.');
    return row.id;
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.feed.admin.query<Row>(text, [...values])).rows;
  }
}
