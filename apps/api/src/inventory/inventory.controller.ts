import { Inject } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-kernel';
import { QueryParameters } from '@petstore/http-server';
import { CategoryId, jsonTextOf, type PetInventory, type PetInventoryStore } from '@petstore/pet-domain';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { readResponse } from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { GetInventoryQuery } from './get-inventory.query.js';
import { GET_INVENTORY, STORE_RESOURCE } from './inventory.operations.js';

/** Injection token of the port behind which animals are counted. */
export const PET_INVENTORY_STORE = Symbol('PetInventoryStore');

const inventoryJson = jsonTextOf<PetInventory>({ available: 'int64', pending: 'int64', sold: 'int64' });

@ContractController(STORE_RESOURCE)
export class InventoryController {
  constructor(@Inject(PET_INVENTORY_STORE) private readonly inventory: PetInventoryStore) {}

  @ContractOperation(GET_INVENTORY)
  async get(
    @QueryParameters(GetInventoryQuery) { categoryId = '' }: GetInventoryQuery,
  ): Promise<JsonResponse> {
    const counts = await this.inventory.count(CategoryId.parse(categoryId));
    return readResponse(inventoryJson(counts));
  }
}
