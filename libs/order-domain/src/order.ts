import type { FreeText, PetId } from '@petstore/pet-domain';
import type { OrderId } from './order-id.js';
import type { OrderStatus } from './order-status.js';

/** What somebody asks for: one animal, reserved at once. */
export interface NewOrder {
  readonly petId: PetId;
  /** The client's own word for it; never interpreted. */
  readonly reference?: FreeText | undefined;
}

/** An adoption order, as far as rules look at it. */
export interface Order {
  readonly id: OrderId;
  readonly petId: PetId;
  readonly status: OrderStatus;
  /** Id of the API key that placed it. */
  readonly placedBy: string;
  /** Whether its time is up, by the clock of the store. */
  readonly isOverdue: boolean;
}
