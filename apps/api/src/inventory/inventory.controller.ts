import { Controller, Get, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { PetInventoryStore } from '@petstore/persistence';
import { inventoryJson } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { mayLag } from '../storage/may-lag.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { readResponse } from '../operations/responses.js';
import { INVENTORY } from './inventory.docs.js';
import { GetInventoryQuery } from './inventory.dto.js';

/** How many animals there are (docs/contract.md, "Inventory"). */
@Controller('v1/store/inventory')
@Resource(INVENTORY)
export class InventoryController {
  constructor(private readonly inventory: PetInventoryStore) {}

  @Get()
  @Operation({
    id: 'getInventory',
    summary: 'Count animals',
    description:
      'Returns how many animals there are of each status, of all categories or of one. The numbers are normally less than a second old.',
    since: '1.1.0',
    scope: 'pets:read',
    isConditional: true,
    success: {
      status: 200,
      description: 'How many animals there are.',
      schema: 'Inventory',
      example: { available: 12, pending: 3, sold: 40 },
    },
  })
  async get(@Caller() caller: Caller, @Query() { categoryId }: GetInventoryQuery): Promise<JsonResponse> {
    return readResponse(inventoryJson(await this.inventory.count(categoryId, mayLag(caller))));
  }
}
