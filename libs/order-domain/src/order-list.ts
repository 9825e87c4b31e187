import type { PageRequest, PetId } from '@petstore/pet-domain';
import type { OrderId } from './order.js';
import type { OrderStatus } from './order-transitions.js';

/** Whose orders a caller sees and acts on: those that were placed with its own key, or all. */
export type OrderVisibility = 'all' | { readonly keyId: string };

/** The scope of shelter staff. */
const MANAGE = 'orders:manage';

/** Whose orders a caller sees. Which operations it may call at all is a matter of their scopes. */
export function orderVisibility({
  keyId,
  scopes,
}: {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
}): OrderVisibility {
  return scopes.has(MANAGE) ? 'all' : { keyId };
}

/** Which orders to list: newest first. */
export interface OrderPageRequest extends PageRequest<OrderId> {
  readonly visibility: OrderVisibility;
  readonly status?: OrderStatus | undefined;
  readonly petId?: PetId | undefined;
}
