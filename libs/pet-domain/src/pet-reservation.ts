/**
 * What an order has made of a pet: `reserved` while the order is placed or approved, `adopted` once it is delivered.
 * Until the order ends, the pet's status changes with the order alone.
 */
export type PetReservation = 'reserved' | 'adopted';

/** A pet was to be changed or removed in a way that its order forbids. */
export class PetHeldByOrderError extends Error {
  override readonly name = 'PetHeldByOrderError';

  constructor(readonly reservation: PetReservation) {
    super(
      reservation === 'reserved'
        ? 'An order holds this animal: its status changes with the order.'
        : 'This animal was adopted through an order: its status changes when the order is returned.',
    );
  }
}
