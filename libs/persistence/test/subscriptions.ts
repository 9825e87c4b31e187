import type { Claim, ClaimRequest, WebhookId } from '@petstore/webhook';
import type { DeliveryQueue } from '../src/webhooks/delivery.queue.js';
import { Feed } from './feed.js';

/** A delivery as it is stored. */
export interface DeliveryState {
  readonly id: string;
  readonly webhook: string;
  readonly position: string | null;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  /** Seconds until the next attempt, rounded. */
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
}

const READ = ['webhooks:manage', 'pets:read'];

/** A database with keys and endpoints of webhooks, whose events are sequenced when a test says so. */
export class Subscriptions {
  private constructor(readonly feed: Feed) {}

  static async open(): Promise<Subscriptions> {
    return new Subscriptions(await Feed.start());
  }

  close(): Promise<void> {
    return this.feed.stop();
  }

  async reset(): Promise<void> {
    await this.feed.admin.query('truncate webhooks restart identity cascade');
    await this.feed.admin.query('truncate orders restart identity');
    await this.feed.admin.query('delete from api_keys');
    await this.feed.reset();
  }

  get queue(): DeliveryQueue {
    return this.feed.stores.deliveryQueue;
  }

  async key(
    id: string,
    { scopes = READ, expiresAt = 'null', revokedAt = 'null' }: KeyOptions = {},
  ): Promise<void> {
    await this.feed.admin.query(
      `insert into api_keys (id, name, plan, scopes, created_at, expires_at, revoked_at)
       values ($1, 'test', 'free', $2, now(), ${expiresAt}, ${revokedAt})
       on conflict (id) do update
       set scopes = excluded.scopes, expires_at = excluded.expires_at, revoked_at = excluded.revoked_at`,
      [id, scopes],
    );
  }

  async endpoint(keyId: string, options: EndpointOptions = {}): Promise<WebhookId> {
    const { types, status = 'enabled', sealed = Buffer.from('sealed') } = options;
    const { rows } = await this.feed.admin.query<{ id: WebhookId }>(
      `insert into webhooks (key_id, url, types, status)
       values ($1, coalesce($2, 'https://' || gen_random_uuid() || '.example/'), $3, $4) returning id`,
      [keyId, options.url, types, status],
    );
    const id = rows[0]?.id;
    if (id === undefined) throw new Error('no endpoint');
    await this.feed.admin.query('insert into webhook_secrets (webhook_id, sealed) values ($1, $2)', [
      id,
      sealed,
    ]);
    return id;
  }

  /** So many events `pet.updated`, as {@link happen}. */
  updates(count: number): Promise<void> {
    return this.happen(...Array.from({ length: count }, () => ['pet.updated'] as const));
  }

  /** Writes events down, past the service, and gives them their positions. */
  async happen(...events: readonly (readonly [type: string, audience?: string])[]): Promise<void> {
    for (const [type, audience] of events) {
      await this.feed.admin.query(
        `insert into outbox (type, resource, audience, data) values ($1, split_part($1, '.', 1), $2, $3)`,
        [type, audience, type.startsWith('pet.') ? PET : '{}'],
      );
    }
    await this.feed.drain();
  }

  async deliveries(): Promise<readonly DeliveryState[]> {
    const { rows } = await this.feed.admin.query<DeliveryState>(
      `select id, webhook_id as webhook, position, type, status, attempts, error, response_status as response,
         round(extract(epoch from next_attempt_at - now()))::int as due
       from webhook_deliveries order by id`,
    );
    return rows;
  }

  /** What is due now, however much, for the length of a lease. */
  claim(request: Partial<ClaimRequest> = {}, queue = this.queue): Promise<Claim> {
    return queue.claim({
      leaseMs: 30_000,
      held: new Map(),
      slow: [],
      perEndpoint: 1_000,
      perSlowEndpoint: 1_000,
      limit: 1_000,
      slowLimit: 1_000,
      ...request,
    });
  }

  /** As if so much time had passed since everything that is written down. */
  async pass(seconds: number): Promise<void> {
    await this.feed.admin.query(
      `update webhook_deliveries set next_attempt_at = next_attempt_at - $1 * interval '1 second'`,
      [seconds],
    );
    await this.feed.admin.query(
      `update webhooks set failing_since = failing_since - $1 * interval '1 second'`,
      [seconds],
    );
  }
}

const PET = '{"pet":{"id":1,"name":"Rex","categoryId":1,"status":"sold"},"previous":{"name":"Max"}}';
