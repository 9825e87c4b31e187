import { ApiKeyRefusedError, type Caller } from '@petstore/api-key';
import type { OrderEventsSeen } from '@petstore/event-feed';
import { PETSTORE_SCOPES } from '@petstore/scopes';
import { REALM } from '../access/realm.js';

const READ = PETSTORE_SCOPES.get('orders:read');
const MANAGE = PETSTORE_SCOPES.get('orders:manage');

/**
 * Which events about orders a caller sees: those of its own with `orders:read`, of all with `orders:manage` besides.
 *
 * @param resource that it asks for
 * @throws {ApiKeyRefusedError} when it asks for orders alone and may see none
 */
export function orderEventsSeenBy({ keyId, scopes }: Caller, resource: string | undefined): OrderEventsSeen {
  if (scopes.has(READ)) return scopes.has(MANAGE) ? 'all' : { keyId };
  if (resource === 'order') throw ApiKeyRefusedError.lacking(READ, REALM);
  return 'none';
}
