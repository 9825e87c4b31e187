import { Controller, Get, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { PetInventoryStore } from '@petstore/persistence';
import { inventoryJson } from '@petstore/pet-domain';
import { Caller } from '@petstore/api-key';
import { allowStale } from '../storage/allow-stale.js';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { readResponse } from '../operations/responses.js';
import { INVENTORY, INVENTORY_OPERATIONS } from './inventory.docs.js';
import { GetInventoryQuery } from './pet.dto.js';

/** How many animals there are (docs/contract.md, "Inventory"). */
@Controller('v1/store/inventory')
@Resource(INVENTORY)
export class InventoryController {
  constructor(private readonly inventory: PetInventoryStore) {}

  @Get()
  @Operation(INVENTORY_OPERATIONS.getInventory)
  async get(@Caller() caller: Caller, @Query() { categoryId }: GetInventoryQuery): Promise<JsonResponse> {
    return readResponse(inventoryJson(await this.inventory.count(categoryId, allowStale(caller))));
  }
}
