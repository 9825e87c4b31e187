import type { EntityManager } from 'typeorm';
import { removeInBatches } from '../remove-in-batches.js';
import { FORGET_ADD_REQUESTS } from './add-requests.bridge.js';
import { REMEMBERED_FOR_MS } from './idempotent-request.js';

const FORGET = `
  delete from idempotent_requests where (caller, token) in (
    select caller, token from idempotent_requests
    where created_at <= now() - $1 * interval '1 millisecond' order by created_at limit $2)`;

/** Removes requests that are not remembered any more, so that the tables hold a day's; how many rows there were. */
export async function forgetIdempotentRequests(manager: EntityManager): Promise<number> {
  const forgotten = await removeInBatches(manager, FORGET, REMEMBERED_FOR_MS);
  return forgotten + (await removeInBatches(manager, FORGET_ADD_REQUESTS, REMEMBERED_FOR_MS));
}
