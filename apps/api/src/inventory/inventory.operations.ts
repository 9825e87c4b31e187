import { HTTP_ERRORS, type SchemaObject } from '@petstore/http-kernel';
import { PetStatus } from '@petstore/pet-domain';
import type { Resource } from '../operations/contract-controller.decorator.js';
import { COUNT_SCHEMA } from '../operations/int64.schema.js';
import type { OperationDeclaration } from '../operations/operation.js';

const INVENTORY: SchemaObject = {
  type: 'object',
  description: 'How many animals there are of each status; all three members are always present.',
  required: [...PetStatus.ALL],
  properties: Object.fromEntries(PetStatus.ALL.map((status) => [status, COUNT_SCHEMA])),
};

/** Of everything below `/store`. */
export const STORE_TAG = {
  name: 'Store',
  description: 'Adoption orders, and how many animals there are.',
} as const;

export const STORE_RESOURCE: Resource = {
  tag: STORE_TAG,
  schemas: { Inventory: INVENTORY },
};

/** docs/contract.md, "Inventory". */
export const GET_INVENTORY: OperationDeclaration = {
  id: 'getInventory',
  method: 'GET',
  path: '/store/inventory',
  summary: 'Count animals',
  description:
    'Returns how many animals there are of each status, of all categories or of one. The numbers are normally less than a second old.',
  since: '1.1.0',
  scope: 'pets:read',
  success: {
    status: 200,
    description: 'How many animals there are.',
    schema: 'Inventory',
    example: { available: 12, pending: 3, sold: 40 },
  },
  isConditional: true,
  errors: [HTTP_ERRORS.invalid_parameter, HTTP_ERRORS.bad_request],
};
