import { CategoryId } from '@petstore/pet-domain';
import { queryMember } from '../operations/members.js';

export class GetInventoryQuery {
  @queryMember(CategoryId, { description: 'Counts the animals of this category only.' })
  categoryId?: CategoryId;
}
