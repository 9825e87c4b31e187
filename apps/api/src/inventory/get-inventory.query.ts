import { CategoryIdParameter } from '../lists/category-id.parameter.js';

export class GetInventoryQuery {
  @CategoryIdParameter({ description: 'Counts the animals of this category only.' })
  categoryId?: string;
}
