import { HTTP_ERRORS, type SchemaObject } from '@petstore/http-kernel';
import { PageLimit, PetStatus } from '@petstore/pet-domain';
import { IDEMPOTENCY_ERRORS, IDEMPOTENCY_HEADERS } from '../idempotency/idempotency.errors.js';
import { IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { CONTRACT_HEADERS } from '../operations/contract.headers.js';
import type { Resource } from '../operations/contract-controller.decorator.js';
import type { OperationDeclaration } from '../operations/operation.js';
import { NewPetDto, PetDto } from './pet.dto.js';
import { PET_ERRORS } from './pet.errors.js';
import { INT64_SCHEMA } from './pet.properties.js';

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

/** Specification, section 4.1. */
export const LIST_PETS: OperationDeclaration = {
  id: 'listPets',
  method: 'GET',
  path: PETS_PATH,
  summary: 'List animals',
  description:
    'Returns a paginated list of animals, newest first. While older ones follow, the answer carries a `Link` header with `rel="next"`. With `ids` it returns these animals, all at once.',
  scope: 'pets:read',
  success: {
    status: 200,
    description: 'One page of animals.',
    schema: 'Pets',
    headers: [CONTRACT_HEADERS.Link],
    example: [REX, MIA],
  },
  isConditional: true,
  errors: [HTTP_ERRORS.invalid_parameter, PET_ERRORS.invalid_cursor, HTTP_ERRORS.bad_request],
};

/** Specification, section 4.2. */
export const CREATE_PET: OperationDeclaration = {
  id: 'createPet',
  method: 'POST',
  path: PETS_PATH,
  summary: 'Add an animal',
  description:
    'Adds an animal. Without a `status` it is `available`. With an `Idempotency-Key` the request may be sent again without harm: it is carried out once, and the first answer is given again for 24 hours.',
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
    headers: [CONTRACT_HEADERS.Location, IDEMPOTENCY_HEADERS['Idempotent-Replayed']],
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
  pathParameters: [{ name: 'petId', description: 'Id of the animal.', schema: INT64_SCHEMA, example: 42 }],
  success: { status: 200, description: 'The animal.', schema: 'Pet', example: REX },
  isConditional: true,
  errors: [PET_ERRORS.pet_not_found],
  deprecation: {
    since: new Date('2025-12-05T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: { method: 'GET', path: PETS_PATH, usage: 'with a `status` filter' },
  },
};
