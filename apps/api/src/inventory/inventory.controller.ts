import type { JsonResponse } from '@petstore/http-kernel';
import { QueryParameters } from '@petstore/http-server';
import { PetInventoryStore } from '@petstore/persistence';
import { CategoryId, inventoryJson } from '@petstore/pet-domain';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { readResponse } from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { GetInventoryQuery } from './get-inventory.query.js';
import { GET_INVENTORY, STORE_RESOURCE } from './inventory.operations.js';

/** How many animals there are (docs/contract.md, "Inventory"). */
@ContractController(STORE_RESOURCE)
export class InventoryController {
  constructor(private readonly inventory: PetInventoryStore) {}

  @ContractOperation(GET_INVENTORY)
  async get(
    @QueryParameters(GetInventoryQuery) { categoryId = '' }: GetInventoryQuery,
  ): Promise<JsonResponse> {
    const counts = await this.inventory.count(CategoryId.parse(categoryId));
    return readResponse(inventoryJson(counts));
  }
}
