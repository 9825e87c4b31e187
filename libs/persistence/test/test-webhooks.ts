import { beforeEach } from '@jest/globals';
import type { EventPosition } from '@petstore/event-feed';
import type { Claim, ClaimedDelivery, ClaimRequest, DeliveryId, Webhook, WebhookId } from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import type { DeliveryQueueStore } from '../src/webhooks/delivery-queue.store.js';
import { WebhookRepository } from '../src/webhooks/webhook.repository.js';
import type { TestDatabase } from './test-database.js';

/** A delivery as it is stored. */
export interface DeliveryState {
  readonly id: string;
  readonly webhook: string;
  readonly position: string | null;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  /** Seconds until the next attempt, rounded up to tens: the test itself takes time. */
  readonly due: number | null;
  readonly error: string | null;
  readonly response: number | null;
}

export interface KeyOptions {
  readonly scopes?: readonly string[];
  /** SQL of a time. */
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

export interface EndpointOptions {
  readonly types?: readonly string[] | undefined;
  readonly status?: 'enabled' | 'disabled';
  readonly url?: string;
  readonly sealed?: Buffer;
  readonly isSlow?: boolean;
}

interface TestClaim extends Partial<Pick<ClaimRequest, 'held' | 'perEndpoint'>> {
  /** Of each class. */
  readonly limit?: number;
  /** Of one class, unlike of the other. */
  readonly room?: Partial<ClaimRequest['room']>;
}

export const KEY = 'key_1';
export const MANAGE = 'webhooks:manage';
const PET = '{"pet":{"id":1,"name":"Rex","categoryId":1,"status":"sold"},"previous":{"name":"Max"}}';

export const messageIds = (deliveries: readonly ClaimedDelivery[]): string[] =>
  deliveries.map(({ messageId }) => messageId);

/** Keys and endpoints of webhooks in a database, and their deliveries; before each test there is {@link KEY} alone. */
export class TestWebhooks {
  constructor(readonly db: TestDatabase) {
    beforeEach(async () => {
      await db.admin.query('delete from api_keys');
      await this.key(KEY);
    });
  }

  get queue(): DeliveryQueueStore {
    return this.db.stores.deliveryQueue;
  }

  async key(
    id: string,
    { scopes = [MANAGE, 'pets:read'], expiresAt = 'null', revokedAt = 'null' }: KeyOptions = {},
  ): Promise<void> {
    await this.db.query(
      `insert into api_keys (id, name, plan, scopes, created_at, expires_at, revoked_at)
       values ($1, 'test', 'free', $2, now(), ${expiresAt}, ${revokedAt})
       on conflict (id) do update
       set scopes = excluded.scopes, expires_at = excluded.expires_at, revoked_at = excluded.revoked_at`,
      [id, scopes],
    );
  }

  async endpoint(options: EndpointOptions = {}, keyId = KEY): Promise<WebhookId> {
    const { types, status = 'enabled', sealed = Buffer.from('sealed'), isSlow = false } = options;
    const [row] = await this.db.query<{ id: WebhookId }>(
      `with added as (
         insert into webhooks (key_id, url, types, status, is_slow)
         values ($1, coalesce($2, 'https://' || gen_random_uuid() || '.example/'), $3, $4, $6) returning id)
       insert into webhook_secrets (webhook_id, sealed) select id, $5 from added returning webhook_id as id`,
      [keyId, options.url, types, status, sealed, isSlow],
    );
    return known(row).id;
  }

  /** Changes an endpoint of {@link KEY}. */
  patch(id: WebhookId, patch: Parameters<Webhook['patch']>[0]): Promise<Webhook> {
    return this.db.stores.unitOfWork.run(async (tx) => {
      const webhooks = tx.of(WebhookRepository);
      const webhook = known(await webhooks.lock({ id, keyId: KEY }));
      webhook.patch(patch);
      await webhooks.update(webhook);
      return webhook;
    });
  }

  /** Writes events to the outbox, past the service, and gives them their positions. */
  async happen(...events: readonly (readonly [type: string, audience?: string])[]): Promise<void> {
    for (const [type, audience] of events) {
      await this.db.query(
        `insert into outbox (type, resource, audience, data) values ($1, split_part($1, '.', 1), $2, $3)`,
        [type, audience, type.startsWith('pet.') ? PET : '{}'],
      );
    }
    await this.db.drain();
  }

  /** So many events `pet.updated`, at once. */
  async updates(count: number): Promise<void> {
    await this.db.query(
      `insert into outbox (type, resource, data) select 'pet.updated', 'pet', $2 from generate_series(1, $1::int)`,
      [count, PET],
    );
    await this.db.drain();
  }

  /** Events of the feed that no endpoint was subscribed to. @returns the position of the last one */
  async missed(count: number, type = 'pet.updated', audience?: string): Promise<EventPosition> {
    const [row] = await this.db.query<{ position: EventPosition }>(
      `with head as (update event_head set position = position + $1::int returning position), kept as (
         insert into events (position, type, resource, audience, json, happened_at)
         select head.position - $1::int + n, $2::text, split_part($2::text, '.', 1), $3::text, '{}', now()
         from head, generate_series(1, $1::int) n)
       select position from head`,
      [count, type, audience],
    );
    return known(row).position;
  }

  /** A delivery that has come to this state; without a position that of a test. */
  async delivery(id: WebhookId, position: string | null, status: string): Promise<DeliveryId> {
    const [row] = await this.db.query<{ id: DeliveryId }>(
      `insert into webhook_deliveries (webhook_id, position, type, status, attempts, next_attempt_at,
         last_attempt_at, response_status, error)
       values ($1, $2::bigint, case when $2::bigint is null then 'webhook.test' else 'pet.updated' end, $3::text, 7,
         case $3::text when 'pending' then now() + interval '1 hour' end, now(), 503, 'http_status') returning id`,
      [id, position, status],
    );
    return known(row).id;
  }

  /** A test of an endpoint that is due. */
  async test(id: WebhookId): Promise<void> {
    await this.db.query(
      `insert into webhook_deliveries (webhook_id, type, status, next_attempt_at, created_at)
       values ($1, 'webhook.test', 'pending', now(), '2026-11-21T19:12:07.123456Z')`,
      [id],
    );
  }

  deliveries(): Promise<readonly DeliveryState[]> {
    return this.db.query(
      `select id, webhook_id as webhook, position, type, status, attempts, error, response_status as response,
         10 * ceil(extract(epoch from next_attempt_at - now()) / 10)::int as due
       from webhook_deliveries order by id`,
    );
  }

  /** What is due now, however much, for the length of a lease. */
  claim(
    { held = new Map(), limit = 1_000, perEndpoint = 1_000, room = {} }: TestClaim = {},
    queue = this.queue,
  ): Promise<Claim> {
    return queue.claim({ leaseMs: 30_000, held, perEndpoint, room: { fast: limit, slow: limit, ...room } });
  }

  /** As if so much time had passed since everything that is written down. */
  async pass(seconds: number): Promise<void> {
    await this.db.query(
      `update webhook_deliveries set next_attempt_at = next_attempt_at - $1 * interval '1 second'`,
      [seconds],
    );
    await this.db.query(`update webhooks set failing_since = failing_since - $1 * interval '1 second'`, [
      seconds,
    ]);
  }

  /** How many deliveries there are of each state. */
  async states(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.db.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from webhook_deliveries group by status',
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }
}
