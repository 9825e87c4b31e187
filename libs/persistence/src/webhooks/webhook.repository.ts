import { Webhook, type WebhookId, type WebhookRequest } from '@petstore/webhook';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { LOCK_KEY } from '../api-keys/lock-key.js';
import { arraysOf, selected, updateAll } from '../sql/columns.js';
import { JUDGED_COLUMNS, WebhookSecretSchema } from './webhook.schema.js';

/** By the database's clock, which decides what is still valid. $1 endpoint, $2 hours of validity. */
const LIMIT_CURRENT_SECRET = `update webhook_secrets set valid_until = now() + $2::float8 * interval '1 hour'
    where webhook_id = $1 and valid_until is null`;

/**
 * In the order of their ids: two workers could deadlock. $1 endpoints, $2 those of them whose last attempt was slow, $3 those
 * to which one has failed.
 */
const LOCK_ATTEMPTED = `
    select now() as now, url, ${selected(JUDGED_COLUMNS)} from webhooks
    where id = any ($1::bigint[])
      and (is_slow <> (id = any ($2::bigint[])) or failing_since is not null or id = any ($3::bigint[]))
    order by id for no key update`;

const UPDATE_ATTEMPTED = updateAll('webhooks', JUDGED_COLUMNS);

/** An endpoint that attempts may change, with nothing but what they change, and the time of the database. */
export interface AttemptedWebhook {
  readonly webhook: Webhook;
  readonly now: Date;
}

/** Endpoints of webhooks: `tx.of(WebhookRepository)`. It is given secrets sealed, and cannot open them. */
export class WebhookRepository {
  constructor(private readonly manager: EntityManager) {}

  /** All endpoints of a key, newest first. */
  list(keyId: string): Promise<readonly Webhook[]> {
    return this.manager.find(Webhook, { where: { keyId }, order: { id: 'DESC' } });
  }

  /** `undefined` when the key does not have it. */
  async find({ id, keyId }: WebhookRequest): Promise<Webhook | undefined> {
    return (await this.manager.findOneBy(Webhook, { id, keyId })) ?? undefined;
  }

  /** No other transaction adds or moves endpoints of the key until the end of this one. Comes before the lock of an endpoint. */
  async lockKey(keyId: string): Promise<void> {
    await this.manager.query(LOCK_KEY, [keyId]);
  }

  /**
   * The endpoint, which no other transaction changes until the end of this one; events are queued for it meanwhile. `undefined`
   * when the key does not have it.
   *
   * @param request with an id alone: of any key
   * @param mode `shared` when this one does not change it, either
   */
  async lock(
    { id, keyId }: Pick<WebhookRequest, 'id'> & Partial<WebhookRequest>,
    mode: 'exclusive' | 'shared' = 'exclusive',
  ): Promise<Webhook | undefined> {
    const where = { id, keyId: keyId ?? Not(IsNull()) };
    const lock = { mode: mode === 'shared' ? ('pessimistic_read' as const) : ('for_no_key_update' as const) };
    return (await this.manager.findOne(Webhook, { where, lock })) ?? undefined;
  }

  /** Locks those of some endpoints that attempts may have changed. @param ids slow and failed ones of which an attempt was so */
  async lockAttempted(ids: {
    readonly all: readonly WebhookId[];
    readonly slow: readonly WebhookId[];
    readonly failed: readonly WebhookId[];
  }): Promise<readonly AttemptedWebhook[]> {
    const rows = await this.manager.query<({ now: Date } & Webhook)[]>(LOCK_ATTEMPTED, [
      ids.all,
      ids.slow,
      ids.failed,
    ]);
    return rows.map(({ now, ...columns }) => ({ webhook: Object.assign(new Webhook(), columns), now }));
  }

  /** Keeps what attempts have changed of endpoints by one statement: hundreds of attempts may have ended at the same moment. */
  async updateAttempted(webhooks: readonly Webhook[]): Promise<void> {
    if (webhooks.length > 0) await this.manager.query(UPDATE_ATTEMPTED, arraysOf(JUDGED_COLUMNS, webhooks));
  }

  hasUrl(keyId: string, url: string): Promise<boolean> {
    return this.manager.existsBy(Webhook, { keyId, url: url as Webhook['url'] });
  }

  countOf(keyId: string): Promise<number> {
    return this.manager.countBy(Webhook, { keyId });
  }

  /** @param sealed the secret that its deliveries are signed with */
  async insert(webhook: Webhook, sealed: Buffer): Promise<void> {
    await this.manager.save(webhook);
    await this.manager.insert(WebhookSecretSchema, { webhookId: webhook.id, sealed });
  }

  /** Keeps what has changed of an endpoint that is locked. */
  async update({ id, createdAt: _kept, ...changed }: Webhook): Promise<void> {
    await this.manager.update(Webhook, { id }, changed);
  }

  /**
   * Removes an endpoint with its secrets. Nothing is sent to it any more; its deliveries are removed in the background
   * (`retention/retention.ts`).
   */
  async delete({ id }: Webhook): Promise<void> {
    await this.manager.update(Webhook, { id }, { keyId: null, status: 'disabled', disabledReason: null });
    await this.manager.delete(WebhookSecretSchema, { webhookId: id });
  }

  /**
   * Signs with a new secret from now on. Of the older ones only the last remains valid, for the overlap.
   *
   * @param sealed the new secret
   * @param overlapHours 0 ends all older ones at once
   */
  async replaceSecret({ id: webhookId }: Webhook, sealed: Buffer, overlapHours: number): Promise<void> {
    const ended = overlapHours === 0 ? { webhookId } : { webhookId, validUntil: Not(IsNull()) };
    await this.manager.delete(WebhookSecretSchema, ended);
    await this.manager.query(LIMIT_CURRENT_SECRET, [webhookId, overlapHours]);
    await this.manager.insert(WebhookSecretSchema, { webhookId, sealed });
  }
}
