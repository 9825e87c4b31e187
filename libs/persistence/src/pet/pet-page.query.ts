import type { PetPageRequest } from '@petstore/pet-domain';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { PetRow } from './pet.row.js';

/**
 * At most `count` rows of a list, newest first, read backwards from one place in one index: the primary key,
 * or (status, id) when there is a filter.
 */
export function selectPage(
  manager: EntityManager,
  { status, before }: PetPageRequest,
  count: number,
): SelectQueryBuilder<PetRow> {
  const rows = manager.createQueryBuilder(PetRow, 'pet').limit(count);
  if (status === undefined) {
    if (before !== undefined) rows.where('pet.id < :before', { before });
    return rows.orderBy('pet.id', 'DESC');
  }
  // Said as a range over the whole index rather than as `status = x`: with an equality the planner may walk
  // the primary key and throw away rows of other statuses, of which there can be millions on the way.
  rows.where('pet.status >= :status', { status });
  if (before === undefined) rows.andWhere('pet.status <= :status');
  else rows.andWhere('(pet.status, pet.id) < (:status, :before)', { before });
  return rows.orderBy('pet.status', 'DESC').addOrderBy('pet.id', 'DESC');
}
