import type { CategoryId } from '@petstore/pet-domain';
import { IdParameter } from '../lists/list-parameters.js';

export class GetInventoryQuery {
  @IdParameter({ description: 'Counts the animals of this category only.' })
  categoryId?: CategoryId;
}
