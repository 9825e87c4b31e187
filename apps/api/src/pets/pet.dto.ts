import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import {
  CategoryId,
  described,
  type NewPet,
  PetName,
  type PetPatch,
  PetStatus,
  type Value,
} from '@petstore/pet-domain';
import { bodyMember, INT64_SCHEMA, queryMember, responseSchema } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';
import { PET_LIST } from './pets.list.js';

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

/** An animal as it is returned (docs/contract.md, "Animals"). Documents `petJson`. */
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

/** The body of a creation (docs/contract.md, "Animals"). */
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

/** The query of the list (docs/contract.md, "Lists"). */
export class ListPetsQuery extends PET_LIST.Query {}

export class GetInventoryQuery {
  @queryMember(CategoryId, { description: 'Counts the animals of this category only.' })
  categoryId?: CategoryId;
}
