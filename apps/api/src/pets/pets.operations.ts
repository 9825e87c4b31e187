import { applyDecorators, Get, Post } from '@nestjs/common';
import { Documented } from '@petstore/http-kernel';
import { ContractOperation } from '../operations/operation.decorator.js';
import { NewPetDto } from './pet.dto.js';
import { INT64_SCHEMA } from './pet.properties.js';

const REX = { id: 42, name: 'Rex', categoryId: 7, status: 'available' };
const MIA = { id: 41, name: 'Mia', categoryId: 3, status: 'available' };

/** `GET /pets` (specification, section 4.1). */
export const ListPets = (): MethodDecorator =>
  applyDecorators(
    Get(),
    ContractOperation({
      id: 'listPets',
      summary: 'List animals',
      description:
        'Returns a paginated list of animals, newest first. While older ones follow, the answer carries a `Link` header with `rel="next"`.',
      scope: 'pets:read',
      success: {
        status: 200,
        description: 'One page of animals.',
        schema: 'Pets',
        headers: ['Link', 'ETag'],
        example: [REX, MIA],
      },
      errors: ['bad_request', 'invalid_parameter', 'invalid_cursor'],
    }),
  );

/** `POST /pets` (specification, section 4.2). */
export const CreatePet = (): MethodDecorator =>
  applyDecorators(
    Post(),
    Documented(({ ApiHeader }) =>
      ApiHeader({
        name: 'Idempotency-Key',
        required: false,
        description:
          'What the client calls this request: 1 to 255 visible ASCII characters, different for every animal.',
        schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
        example: '7f3c1d1e-8a0b-4a64-9f0e-6f1d2c3b4a59',
      }),
    ),
    Documented(({ ApiBody }) =>
      ApiBody({
        type: NewPetDto,
        required: true,
        description: 'The animal to add; unknown members are ignored.',
        examples: {
          newPet: { summary: 'An animal that is available.', value: { name: 'Rex', categoryId: 7 } },
        },
      }),
    ),
    ContractOperation({
      id: 'createPet',
      summary: 'Add an animal',
      description:
        'Adds an animal. Without a `status` it is `available`. With an `Idempotency-Key` the request may be sent again without harm: it is carried out once, and the first answer is given again for 24 hours.',
      scope: 'pets:write',
      success: {
        status: 201,
        description: 'The created animal, including the assigned id.',
        schema: 'Pet',
        headers: ['Location', 'Idempotent-Replayed'],
        example: REX,
      },
      errors: [
        'bad_request',
        'invalid_parameter',
        'idempotency_in_progress',
        'idempotency_key_reused',
        'invalid_json',
        'validation_failed',
        'payload_too_large',
        'unsupported_media_type',
      ],
    }),
  );

/** `GET /pets/{petId}` (specification, section 4.3). */
export const GetPet = (): MethodDecorator =>
  applyDecorators(
    Get(':petId'),
    Documented(({ ApiParam }) =>
      ApiParam({ name: 'petId', description: 'Id of the animal.', schema: INT64_SCHEMA, example: 42 }),
    ),
    ContractOperation({
      id: 'getPet',
      summary: 'Get an animal',
      description: 'Returns details of a single animal.',
      scope: 'pets:read',
      success: { status: 200, description: 'The animal.', schema: 'Pet', headers: ['ETag'], example: REX },
      errors: ['pet_not_found', 'operation_removed'],
      deprecatedFor: '`GET /pets` with a `status` filter',
    }),
  );
