import { HTTP_ERRORS, HTTP_HEADERS, type SchemaObject } from '@petstore/http-kernel';
import { PageLimit, PetStatus } from '@petstore/pet-domain';
import { LIST_ERRORS } from '../lists/list.errors.js';
import { IDEMPOTENCY_ERRORS, IDEMPOTENCY_HEADERS } from '../idempotency/idempotency.errors.js';
import { IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { CONTRACT_HEADERS } from '../operations/contract.headers.js';
import type { Resource } from '../operations/contract-controller.decorator.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/merge-patch.js';
import type { OperationDeclaration, Parameter } from '../operations/operation.js';
import { NewPetDto, PetDto, PetPatchDto } from './pet.dto.js';
import { PET_ERRORS } from './pet.errors.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';

/** Where animals are, below the base of the API. */
export const PETS_PATH = '/pets';

const PET_STATUS: SchemaObject = {
  type: 'string',
  enum: [...PetStatus.ALL],
  description: 'Availability status.',
};

/** A named array: decorators can only make nameless ones. */
const PETS: SchemaObject = {
  type: 'array',
  maxItems: PageLimit.MAX,
  items: { $ref: '#/components/schemas/Pet' },
  description: 'One page of animals, newest first.',
};

export const PETS_RESOURCE: Resource = {
  tag: { name: 'Pets', description: 'Animals available for adoption.' },
  models: [PetDto],
  schemas: { PetStatus: PET_STATUS, Pets: PETS },
};

const REX = { id: 42, name: 'Rex', categoryId: 7, status: 'available' };
const MIA = { id: 41, name: 'Mia', categoryId: 3, status: 'available' };

const PET_ID: Parameter = {
  name: 'petId',
  description: 'Id of the animal.',
  schema: INT64_SCHEMA,
  // Generators of requests take it as it is: the sample data has it.
  example: 1,
};

/** Specification, section 4.1. */
export const LIST_PETS: OperationDeclaration = {
  id: 'listPets',
  method: 'GET',
  path: PETS_PATH,
  summary: 'List animals',
  description:
    'Returns a paginated list of animals, newest first. While older ones follow, the response carries a `Link` header with `rel="next"`. With `ids` it returns these animals, all at once.',
  scope: 'pets:read',
  success: {
    status: 200,
    description: 'One page of animals.',
    schema: 'Pets',
    headers: [HTTP_HEADERS.Link],
    example: [REX, MIA],
  },
  isConditional: true,
  errors: [HTTP_ERRORS.invalid_parameter, LIST_ERRORS.invalid_cursor, HTTP_ERRORS.bad_request],
};

/** Specification, section 4.2. */
export const CREATE_PET: OperationDeclaration = {
  id: 'createPet',
  method: 'POST',
  path: PETS_PATH,
  summary: 'Add an animal',
  description:
    'Adds an animal. Without a `status` it is `available`. With an `Idempotency-Key` the request may be sent again without harm: it is carried out once, and the first response is returned again for 24 hours.',
  scope: 'pets:write',
  requestHeaders: [IDEMPOTENCY_KEY],
  body: {
    dto: NewPetDto,
    description: 'The animal to add; unknown members are ignored.',
    examples: {
      newPet: { summary: 'An animal that is available.', value: { name: 'Rex', categoryId: 7 } },
    },
  },
  success: {
    status: 201,
    description: 'The created animal, including the assigned id.',
    schema: 'Pet',
    headers: [CONTRACT_HEADERS.Location, HTTP_HEADERS.ETag, IDEMPOTENCY_HEADERS['Idempotent-Replayed']],
    example: REX,
  },
  errors: [
    HTTP_ERRORS.invalid_json,
    HTTP_ERRORS.validation_failed,
    HTTP_ERRORS.invalid_parameter,
    HTTP_ERRORS.bad_request,
    IDEMPOTENCY_ERRORS.idempotency_in_progress,
    HTTP_ERRORS.payload_too_large,
    HTTP_ERRORS.unsupported_media_type,
    IDEMPOTENCY_ERRORS.idempotency_key_reused,
  ],
};

/** Specification, section 4.3. */
export const GET_PET: OperationDeclaration = {
  id: 'getPet',
  method: 'GET',
  path: `${PETS_PATH}/:petId`,
  summary: 'Get an animal',
  description: 'Returns details of a single animal.',
  scope: 'pets:read',
  pathParameters: [PET_ID],
  success: { status: 200, description: 'The animal.', schema: 'Pet', example: REX },
  isConditional: true,
  errors: [PET_ERRORS.pet_not_found],
  deprecation: {
    since: new Date('2025-12-05T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: { method: 'GET', path: PETS_PATH, usage: 'with a `status` filter' },
  },
};

/** docs/contract.md, "Changing an animal". */
export const UPDATE_PET: OperationDeclaration = {
  id: 'updatePet',
  method: 'PATCH',
  path: `${PETS_PATH}/:petId`,
  summary: 'Change an animal',
  description:
    'Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error. The status changes from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, and from `sold` to `available`.',
  since: '1.1.0',
  scope: 'pets:write',
  isGuarded: true,
  pathParameters: [PET_ID],
  body: {
    dto: PetPatchDto,
    mediaTypes: MERGE_PATCH_MEDIA_TYPES,
    description:
      'The members to change; unknown ones and `id` are ignored, and none can be removed with `null`.',
    examples: {
      petPatch: { summary: 'Somebody takes the animal home.', value: { status: 'sold' } },
    },
  },
  success: {
    status: 200,
    description: 'The animal as it is now.',
    schema: 'Pet',
    example: { ...REX, status: 'sold' },
  },
  errors: [
    HTTP_ERRORS.invalid_json,
    HTTP_ERRORS.validation_failed,
    HTTP_ERRORS.bad_request,
    PET_ERRORS.pet_not_found,
    PET_ERRORS.invalid_status_transition,
    PET_ERRORS.pet_held_by_order,
    HTTP_ERRORS.payload_too_large,
    HTTP_ERRORS.unsupported_media_type,
  ],
};

/** docs/contract.md, "Removing an animal". */
export const DELETE_PET: OperationDeclaration = {
  id: 'deletePet',
  method: 'DELETE',
  path: `${PETS_PATH}/:petId`,
  summary: 'Remove an animal',
  description: 'Removes an animal for ever; its id is never given to another one.',
  since: '1.1.0',
  scope: 'pets:write',
  isGuarded: true,
  pathParameters: [PET_ID],
  success: { status: 204, description: 'The animal has been removed.' },
  errors: [HTTP_ERRORS.bad_request, PET_ERRORS.pet_not_found, PET_ERRORS.pet_held_by_order],
};
