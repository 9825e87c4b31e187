import { CategoryId } from './category.js';
import { type Fields, jsonTextOf } from './fields.js';
import { type FreeText, freeTexts, type FreeTexts } from './free-text.js';
import { InvalidStatusTransitionError, isAllowedTransition, PetStatus } from './pet-status.js';
import { type Branded, described, type Int64Id } from './value.js';
import { int64 } from './values.js';

/** Identifier of an animal. */
export type PetId = Int64Id<'PetId'>;
export const PetId = int64<PetId>();

/** An animal's name (docs/contract.md, "Animals"). */
export type PetName = Branded<FreeText, 'PetName'>;
export const PetName: FreeTexts<PetName> = freeTexts();

/** An animal to be added: everything but the id (docs/contract.md, "Animals"). */
export interface NewPet {
  readonly name: PetName;
  readonly categoryId: CategoryId;
  readonly status: PetStatus;
}

/** New values of some fields of an animal; the others stay as they are. */
export type PetPatch = { readonly [Field in keyof NewPet]?: NewPet[Field] | undefined };

/** The old values of what a change has changed. */
export type PreviousPet = Partial<NewPet>;

/** The fields of an animal that its creator gives. */
export const NEW_PET_FIELDS: Fields<NewPet> = {
  name: described(
    PetName,
    `The animal's name: 1 to ${PetName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters.`,
    'Rex',
  ),
  categoryId: described(CategoryId, 'Id of the category the animal belongs to.', 7),
  status: described(PetStatus, 'Availability status.', PetStatus.DEFAULT),
};

/** All fields of an animal, in the order of its JSON (docs/contract.md, "Animals"). */
export const PET_FIELDS: Fields<PetState> = {
  id: described(
    PetId,
    'Unique identifier, assigned by the service on creation. A later animal has a greater one.',
    42,
  ),
  ...NEW_PET_FIELDS,
};

const PATCHABLE = Object.keys(NEW_PET_FIELDS) as readonly (keyof NewPet)[];

/** The members of an animal. */
export interface PetState extends NewPet {
  readonly id: PetId;
}

/** An animal available for adoption. */
export class Pet implements PetState {
  /** Assigned by the store; a later animal has a greater one. */
  readonly id!: PetId;
  name!: PetName;
  categoryId!: CategoryId;
  status!: PetStatus;

  constructor(fields: PetState) {
    Object.assign(this, fields);
  }

  /**
   * Changes what the patch gives, all of it or nothing.
   *
   * @param reservation by an active order; only looked at when the status would change
   * @returns the old values of what has changed; `undefined` when nothing has
   * @throws {PetHeldByOrderError} when the status would change against the order
   * @throws {InvalidStatusTransitionError}
   */
  patch(patch: PetPatch, reservation?: PetReservation): PreviousPet | undefined {
    const { status: to = this.status } = patch;
    this.requireFree(to, reservation);
    if (!isAllowedTransition(this.status, to)) throw new InvalidStatusTransitionError(this.status, to);
    return this.change(patch);
  }

  /**
   * As {@link patch}, but what is given is what its shelter states of the animal, and no step that somebody takes: any
   * status may follow any other.
   *
   * @throws {PetHeldByOrderError} when the status would change against the order
   */
  restate(statement: PetPatch, reservation?: PetReservation): PreviousPet | undefined {
    this.requireFree(statement.status ?? this.status, reservation);
    return this.change(statement);
  }

  /**
   * Changes the status as its order does, whose own table says when it may.
   *
   * @returns the old value
   */
  changeStatusByOrder(to: PetStatus): PreviousPet {
    const previous = { status: this.status };
    this.status = to;
    return previous;
  }

  /** @throws {PetHeldByOrderError} for an animal that is reserved */
  requireRemovable(reservation: PetReservation | undefined): void {
    if (reservation === 'reserved') throw new PetHeldByOrderError(reservation);
  }

  private requireFree(to: PetStatus, reservation: PetReservation | undefined): void {
    if (reservation !== undefined && to !== this.status) throw new PetHeldByOrderError(reservation);
  }

  private change(patch: PetPatch): PreviousPet | undefined {
    const changed = PATCHABLE.filter((field) => patch[field] !== undefined && patch[field] !== this[field]);
    if (changed.length === 0) return undefined;
    const previous = Object.fromEntries(changed.map((field) => [field, this[field]]));
    Object.assign(this, Object.fromEntries(changed.map((field) => [field, patch[field]])));
    return previous;
  }
}

/** An animal as JSON text (docs/contract.md, "Animals"). */
export const petJson: (pet: PetState) => string = jsonTextOf<PetState>(PET_FIELDS);

/**
 * What an order has made of an animal: `reserved` while the order is placed or approved, `adopted` once it is delivered.
 * Until the order ends, the animal's status changes with the order alone.
 */
export type PetReservation = 'reserved' | 'adopted';

/** An animal was to be changed or removed in a way that its order forbids. */
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
