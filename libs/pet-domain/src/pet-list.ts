import type { CategoryId } from './category.js';
import { type Fields, jsonTextOf, optional } from './fields.js';
import { INSTANT } from './instant.js';
import type { PageRequest } from './page.js';
import { PET_FIELDS, PetId, type PetState } from './pet.js';
import { PetProfile } from './pet-profile.js';
import type { PetSearch } from './pet-search.js';
import type { PetStatus } from './pet-status.js';
import { described, type ValueOf } from './value.js';
import { setOf, stringEnum } from './values.js';

/** Which animals a list has: those that meet every condition that is given; all of them when none is. */
export interface PetFilter extends PetSearch {
  /** Only animals of this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals of this category. */
  readonly categoryId?: CategoryId | undefined;
}

/** What can be shown of an animal beside its members. */
interface IncludedMembers {
  readonly createdAt: Date;
  readonly profile?: PetProfile | undefined;
}

/** All of it, in the order in which it stands behind the members of an animal in JSON. */
export const INCLUDED_FIELDS: Fields<IncludedMembers> = {
  createdAt: described(INSTANT, 'When the animal was added here.'),
  profile: optional(PetProfile),
};

/** An animal with everything that a list can include, as JSON text. */
export const describedPetJson: (pet: PetState & IncludedMembers) => string = jsonTextOf<
  PetState & IncludedMembers
>({ ...PET_FIELDS, ...INCLUDED_FIELDS });

const MORE = ['profile', 'createdAt'] as const satisfies readonly (keyof IncludedMembers)[];

/** What a list has with each animal beside its members. */
export const PetInclude = setOf(stringEnum(...MORE), {
  most: MORE.length,
  description: `one or more different ones of ${MORE.join(', ')}`,
});
export type PetInclude = ValueOf<typeof PetInclude>;

/** Which animals to list, and from where: newest first. */
export interface PetPageRequest extends PageRequest<PetId>, PetFilter {
  readonly include?: PetInclude | undefined;
}

/** Animals to list by their ids, all at once. */
export interface PetsByIdsRequest extends PetFilter {
  /** Different ids, 1 to {@link PetIdList.MAX} of them; one that no animal has is passed over. */
  readonly ids: readonly PetId[];
  readonly include?: PetInclude | undefined;
}

const MAX = 100;
/** Twice what 100 ids can take. */
const MAX_LENGTH = 4_096;

/** Animals that are asked for by their ids (`docs/contract.md`, Lists), in the order of their first appearance. */
export const PetIdList = {
  ...setOf(PetId, {
    most: MAX,
    maxLength: MAX_LENGTH,
    mayRepeat: true,
    description: `1 to ${MAX} different ids in plain decimal digits`,
  }),
  /** Most different ids in a list. */
  MAX,
} as const;
