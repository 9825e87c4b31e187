import { described, INVENTORY_FIELDS, resourceOf, titled } from '@petstore/pet-domain';
import { defineOperations, ok, type ResourceOptions } from '../operations/operation.js';
import { componentsOf } from '../operations/members.js';

/** Of everything below `/store`. */
export const STORE_TAG = {
  name: 'Store',
  description: 'Adoption orders, and how many animals there are.',
  guide: 'adoption',
} as const;

export const INVENTORY: ResourceOptions = {
  tag: STORE_TAG,
  schemas: componentsOf(
    described(
      titled('Inventory', resourceOf(INVENTORY_FIELDS)),
      'How many animals there are of each status; all three members are always present.',
    ),
  ),
};

export const INVENTORY_OPERATIONS = defineOperations({
  getInventory: {
    summary: 'Count animals',
    description:
      'Returns how many animals there are of each status, of all categories or of one. The numbers are normally less than a second old.',
    since: '1.0.0',
    scope: 'pets:read',
    isConditional: true,
    success: ok('How many animals there are.', 'Inventory', { available: 12, pending: 3, sold: 40 }),
  },
});
