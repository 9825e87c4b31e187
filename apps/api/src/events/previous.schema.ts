import type { SchemaObject } from '@petstore/http-kernel';
import { PetName, PetStatus } from '@petstore/pet-domain';
import { FREE_TEXT_SCHEMA } from '../operations/free-text.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';

/** What an update has changed of an animal. */
export const PREVIOUS_PET: SchemaObject = {
  type: 'object',
  description: 'The old values of the members that were changed, and no others.',
  properties: {
    name: {
      type: 'string',
      maxLength: PetName.MAX_CODE_POINTS,
      pattern: '^[^\\u0000-\\u001F\\u007F]+$',
    },
    categoryId: INT64_SCHEMA,
    status: { type: 'string', enum: [...PetStatus.ALL] },
  },
};

/** What an update has changed of a category. */
export const PREVIOUS_CATEGORY: SchemaObject = {
  type: 'object',
  description: 'The old name.',
  required: ['name'],
  properties: { name: FREE_TEXT_SCHEMA },
};
