import { PetStatus } from '@petstore/pet-domain';
import type { ResourceOptions } from '../operations/operation.js';
import { COUNT_SCHEMA } from '../operations/schemas.js';

/** Of everything below `/store`. */
export const STORE_TAG = {
  name: 'Store',
  description: 'Adoption orders, and how many animals there are.',
} as const;

export const INVENTORY: ResourceOptions = {
  tag: STORE_TAG,
  schemas: {
    Inventory: {
      type: 'object',
      description: 'How many animals there are of each status; all three members are always present.',
      required: [...PetStatus.ALL],
      properties: Object.fromEntries(PetStatus.ALL.map((status) => [status, COUNT_SCHEMA])),
    },
  },
};
