import { type Fields, jsonTextOf } from './fields.js';
import { titled } from './value.js';
import { int64, stringEnum } from './values.js';

/** Availability of an animal: the three values of the contract in their order (docs/contract.md, "Animals"). */
export const PetStatus = {
  ...titled('PetStatus', stringEnum('available', 'pending', 'sold')),
  /** Status of a new animal unless given. */
  DEFAULT: 'available',
} as const;

export type PetStatus = (typeof PetStatus.ALL)[number];

/**
 * What `updatePet` may change each status to (docs/contract.md, "Changing an animal"). An animal may be created with
 * any status. Pending means promised to an adopter; a returned animal is available.
 */
export const STATUS_TARGETS: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: ['available'],
};

/** Whether an animal of the status `from` may be given the status `to` by `updatePet`. */
export function isAllowedTransition(from: PetStatus, to: PetStatus): boolean {
  return from === to || STATUS_TARGETS[from].includes(to);
}

/** The status of an animal was to be changed in a way that {@link isAllowedTransition} refuses. */
export class InvalidStatusTransitionError extends Error {
  override readonly name = 'InvalidStatusTransitionError';

  constructor(
    readonly from: PetStatus,
    readonly to: PetStatus,
  ) {
    super(
      `The status cannot change from ${from} to ${to}; from ${from} it can become ${STATUS_TARGETS[from].join(' or ')}.`,
    );
  }
}

/** How many animals there are of each status, as decimal digits. */
export type PetInventory = Readonly<Record<PetStatus, string>>;

const COUNT = int64<string>(0);
export const INVENTORY_FIELDS: Fields<PetInventory> = { available: COUNT, pending: COUNT, sold: COUNT };

/** An inventory as JSON text. */
export const inventoryJson: (inventory: PetInventory) => string = jsonTextOf<PetInventory>(INVENTORY_FIELDS);
