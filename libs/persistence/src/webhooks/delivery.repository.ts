import type { WebhookId } from '@petstore/webhook';
import type { EntityManager } from 'typeorm';
import { isVisible } from '../events/visibility.js';

/** SQL: whether the key `k` is in force and may have endpoints; without that nothing is sent to its endpoints. */
export const KEY_MAY_RECEIVE = `(k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
  and 'webhooks:manage' = any (k.scopes))`;

/** Whether there is an endpoint that anything could be sent to. */
const ANY_ENDPOINT = `select exists (select from webhooks where status = 'enabled') as any`;

/** SQL: whether an endpoint has asked for an event, by its type or by its resource. */
export const isAskedFor = (endpoint: string, event: string): string =>
  `(${endpoint}.types is null or ${event}.type = any (${endpoint}.types) or ${event}.resource || '.*' = any (${endpoint}.types))`;

/**
 * Deliveries of the events behind position $1 up to $2, in their order, one for each endpoint that asks for them and
 * whose key may see them at this moment.
 *
 * Endpoints are compared with kinds of events (type and audience), not with each event. They are locked against
 * removal: one that is being removed is waited for, and skipped. The first attempts start in the order of the ids.
 */
const FAN_OUT = `
  with t as materialized (
    select w.id, w.key_id, w.types, k.scopes
    from webhooks w, lateral (select * from api_keys where id = w.key_id limit 1) k
    where w.status = 'enabled' and ${KEY_MAY_RECEIVE}
    for key share of w
  ), placed as materialized (
    select position, type, resource, audience from events where position > $1::bigint and position <= $2::bigint
  ), kind as materialized (
    select distinct type, resource, audience from placed
  ), receivers as materialized (
    select kind.type, kind.audience, array_agg(t.id order by t.id) as ids
    from kind, t
    where ${isVisible({ resource: 'kind.resource', audience: 'kind.audience', keyId: 't.key_id', scopes: 't.scopes' })}
      and ${isAskedFor('t', 'kind')}
    group by kind.type, kind.audience
  ), queued as (
    insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
    select id, position, type, 'pending', now()
    from (
      select unnest(ids) as id, position, placed.type
      from placed, receivers
      where receivers.type = placed.type and receivers.audience is not distinct from placed.audience
    ) due
    order by position, id
    on conflict (webhook_id, position) do nothing
    returning 1
  )
  select count(*)::int as queued from queued`;

/**
 * Most pending deliveries that one statement ends because of their endpoint. Those beyond are ended when they are due: nothing is
 * sent to an endpoint that is disabled or removed.
 */
const MAX_ENDED = 10_000;

/**
 * Ends pending deliveries of endpoints, except the tests of disabled ones, which are sent. $1 ids, $2 state, $3
 * whether only those that are due and not under way.
 */
const END_PENDING = `
    update webhook_deliveries set status = $2, next_attempt_at = null
    where id = any (array(
      select id from webhook_deliveries
      where webhook_id = any ($1::bigint[]) and status = 'pending' and (position is not null or $2 = 'dropped')
        and (not $3::boolean or next_attempt_at <= now())
      limit ${MAX_ENDED} for update skip locked
    ))
    returning 1`;

/** Deliveries of webhooks within a transaction. */
export class DeliveryRepository {
  constructor(private readonly manager: EntityManager) {}

  /**
   * Queues the events behind a position up to another one, in the transaction that gives them these positions: so every
   * event is queued once, or not at all together with its position.
   *
   * @returns how many deliveries were queued
   */
  async fanOut(after: string, upTo: string): Promise<number> {
    const [endpoints] = await this.manager.query<[{ any: boolean }]>(ANY_ENDPOINT);
    if (!endpoints.any) return 0;
    const [{ queued }] = await this.manager.query<[{ queued: number }]>(FAN_OUT, [after, upTo]);
    return queued;
  }

  /**
   * Ends what is pending of endpoints to which nothing more may be sent; waits for no worker.
   *
   * @returns how many deliveries
   */
  async end(
    endpoints: readonly WebhookId[],
    status: 'failed' | 'dropped',
    { onlyDue = false } = {},
  ): Promise<number> {
    const [, ended] = await this.manager.query<[unknown, number]>(END_PENDING, [endpoints, status, onlyDue]);
    return ended;
  }
}
