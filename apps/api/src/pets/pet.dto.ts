import { ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import {
  CategoryId,
  described,
  type NewPet,
  optional,
  PET_FIELDS,
  type PetName,
  type PetPatch,
  PetStatus,
} from '@petstore/pet-domain';
import { BodyMember, QueryMember, ResponseOf } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';
import { PET_LIST } from './pets.list.js';

const SHOWN_STATUS = described(PET_FIELDS.status, 'Availability status; always present in responses.');

/** An animal as it is returned (docs/contract.md, "Animals"). */
@ApiSchema({ name: 'Pet', description: 'An animal available for adoption.' })
@ResponseOf({ ...PET_FIELDS, status: optional(SHOWN_STATUS) })
export class PetDto {}

/** The body of a creation (docs/contract.md, "Animals"). */
@ApiSchema({ name: 'NewPet', description: 'An animal to be added.' })
export class NewPetDto implements NewPet {
  @BodyMember(PET_FIELDS.name)
  name!: PetName;

  @BodyMember(PET_FIELDS.categoryId)
  categoryId!: CategoryId;

  // Not as `default`: generators take that for a promise that the member is always there, and demand it.
  @BodyMember(PET_FIELDS.status, 'optional', {
    description: `Availability status. When it is left out, it is \`${PetStatus.DEFAULT}\`.`,
  })
  status: PetStatus = PetStatus.DEFAULT;
}

/** The body of a change (docs/contract.md, "Changing an animal"): nothing is required, nothing has a default. */
@ApiSchema({ name: 'PetPatch', description: 'What is to change of an animal; the rest stays as it is.' })
@JsonBodyOptions({ mediaTypes: MERGE_PATCH_MEDIA_TYPES })
export class PetPatchDto implements PetPatch {
  @BodyMember(PET_FIELDS.name, 'patched')
  name?: PetName;

  @BodyMember(PET_FIELDS.categoryId, 'patched')
  categoryId?: CategoryId;

  @BodyMember(PET_FIELDS.status, 'patched')
  status?: PetStatus;
}

/** The query of the list (docs/contract.md, "Lists"). */
export class ListPetsQuery extends PET_LIST.Query {}

export class GetInventoryQuery {
  @QueryMember(CategoryId, { description: 'Counts the animals of this category only.' })
  categoryId?: CategoryId;
}
