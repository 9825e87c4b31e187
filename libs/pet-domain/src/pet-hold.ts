/**
 * What an order has made of an animal: `reserved` while it is placed or approved, `adopted` once it is delivered. As
 * long as there is one, the status of the animal changes with the order alone.
 */
export type PetHold = 'reserved' | 'adopted';

/** An animal was to be changed or removed in a way that its order forbids. */
export class PetHeldByOrderError extends Error {
  override readonly name = 'PetHeldByOrderError';

  constructor(readonly hold: PetHold) {
    super(
      hold === 'reserved'
        ? 'An order holds this animal: its status changes with the order.'
        : 'This animal was adopted through an order: its status changes when the order is returned.',
    );
  }
}

/** @throws {PetHeldByOrderError} for an animal that is reserved */
export function requireRemovable(hold: PetHold | undefined): void {
  if (hold === 'reserved') throw new PetHeldByOrderError(hold);
}
