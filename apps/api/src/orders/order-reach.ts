import type { Caller } from '@petstore/api-key';
import type { OrderReach } from '@petstore/order-domain';
import { PETSTORE_SCOPES } from '@petstore/scopes';

const MANAGE = PETSTORE_SCOPES.get('orders:manage');

/** Whose orders a caller reaches: its own, those of all keys with `orders:manage`. */
export function reachOf({ keyId, scopes }: Caller): OrderReach {
  return scopes.has(MANAGE) ? 'all' : { keyId };
}
