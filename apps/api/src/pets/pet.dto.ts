import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import {
  CategoryId,
  described,
  type NewPet,
  type PetId,
  PetIdList,
  PetName,
  type PetPatch,
  PetStatus,
  setOf,
  stringEnum,
  type Value,
} from '@petstore/pet-domain';
import { CursorFormat, type CursorPosition } from '../lists/cursor.js';
import { CursorParameter, LimitParameter } from '../lists/list-parameters.js';
import { bodyMember, INT64_SCHEMA, queryMember, responseSchema } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';

/** Positions in lists of animals; `filter` is the category. Clients may have stored cursors of this form. */
export const PET_CURSOR = new CursorFormat<PetId, PetStatus>(
  '',
  new Map<PetStatus | undefined, string>([
    [undefined, 'z'],
    ...PetStatus.ALL.map((status) => [status, status.charAt(0)] as const),
  ]),
);

/** What a list of animals can have with each of them. */
const Include = stringEnum('profile');
const INCLUDE = setOf(Include, { most: Include.ALL.length, description: Include.description });

/** The members of an animal beside its id, which events have as old values, too. */
export const PET_MEMBERS = {
  name: described(
    PetName,
    `The animal's name: 1 to ${PetName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters.`,
    'Rex',
  ),
  categoryId: described(CategoryId, 'Id of the category the animal belongs to.', 7),
  status: described(PetStatus, 'Availability status.', PetStatus.DEFAULT),
} satisfies Record<keyof NewPet, Value<unknown>>;

const STATUS = { enumName: 'PetStatus' };

const PetNameMember = bodyMember(PET_MEMBERS.name);
const CategoryIdMember = bodyMember(PET_MEMBERS.categoryId);
const PetStatusMember = bodyMember(PET_MEMBERS.status, STATUS);

/** An animal as it is returned (specification, section 2, Pet). Documents `petJson`. */
@ApiSchema({ name: 'Pet', description: 'An animal available for adoption.' })
export class PetDto {
  @ApiProperty({
    ...INT64_SCHEMA,
    description: 'Unique identifier, assigned by the service on creation. A later animal has a greater one.',
    example: 42,
  })
  id!: string;

  @ApiProperty(responseSchema(PET_MEMBERS.name))
  name!: string;

  @ApiProperty(responseSchema(PET_MEMBERS.categoryId))
  categoryId!: string;

  @ApiPropertyOptional({
    ...responseSchema(PET_MEMBERS.status),
    ...STATUS,
    description: 'Availability status; always present in responses.',
  })
  status!: PetStatus;
}

/** The body of a creation (specification, section 2, NewPet). */
@ApiSchema({ name: 'NewPet', description: 'An animal to be added.' })
export class NewPetDto implements NewPet {
  @PetNameMember()
  name!: PetName;

  @CategoryIdMember()
  categoryId!: CategoryId;

  // Not as `default`: generators take that for a promise that the member is always there, and demand it.
  @PetStatusMember('optional', {
    description: `Availability status. When it is left out, it is \`${PetStatus.DEFAULT}\`.`,
  })
  status: PetStatus = PetStatus.DEFAULT;
}

/** The body of a change (docs/contract.md, "Changing an animal"): nothing is required, nothing has a default. */
@ApiSchema({ name: 'PetPatch', description: 'What is to change of an animal; the rest stays as it is.' })
@JsonBodyOptions({ mediaTypes: MERGE_PATCH_MEDIA_TYPES })
export class PetPatchDto implements PetPatch {
  @PetNameMember('patched')
  name?: PetName;

  @CategoryIdMember('patched')
  categoryId?: CategoryId;

  @PetStatusMember('patched')
  status?: PetStatus;
}

/** The query of the list (specification, section 4.1). */
export class ListPetsQuery {
  @LimitParameter('animals')
  limit?: number;

  @queryMember(described(PetStatus, 'Filters by availability status.', 'available'), STATUS)
  status?: PetStatus;

  @CursorParameter(PET_CURSOR, 'the same `status` and `categoryId`')
  cursor?: CursorPosition<PetId>;

  @queryMember(CategoryId, { description: 'Filters by category.', 'x-since': '1.1.0' })
  categoryId?: CategoryId;

  @queryMember(PetIdList, {
    description: `Lists these animals, all at once: at most ${PetIdList.MAX} different ones, of which a repetition counts once; those that do not exist are left out. May be combined with \`status\` and \`categoryId\`, not with \`limit\` or \`cursor\`.`,
    'x-since': '1.1.0',
  })
  ids?: readonly PetId[];

  @queryMember(INCLUDE, {
    description: 'Adds to each animal: `profile`, what adopters look at, if it has been described.',
    example: ['profile'],
    'x-since': '1.1.0',
  })
  include?: readonly (typeof Include.ALL)[number][];
}
