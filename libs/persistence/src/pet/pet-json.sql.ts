import { PET_FIELDS } from '@petstore/pet-domain';
import { sqlJsonOf } from '../columns/sql-json.js';
import { PET_COLUMNS } from './pet-columns.js';

/** SQL of an animal as JSON, of the columns of `pets`: the same bytes as `petJson` makes. */
export const PET_JSON = sqlJsonOf(
  PET_COLUMNS.map(({ member, name }) => ({
    member,
    kind: PET_FIELDS[member as keyof typeof PET_FIELDS],
    value: name,
  })),
);
