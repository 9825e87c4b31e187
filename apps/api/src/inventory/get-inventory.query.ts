import { CategoryIdParameter } from '../lists/category-id.parameter.js';

export class GetInventoryQuery {
  @CategoryIdParameter('Counts the animals of this category only.')
  categoryId?: string;
}
