import { CategoryId, INT64_MAX } from '@petstore/pet-domain';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { QueryParameter } from '../operations/query-parameter.decorator.js';

export class GetInventoryQuery {
  @QueryParameter(
    'categoryId',
    { ...INT64_SCHEMA, description: 'Counts the animals of this category only.', example: 7 },
    {
      parse: (text) => CategoryId.parse(text),
      expected: `a whole number from 1 to ${INT64_MAX} in plain decimal digits`,
    },
  )
  categoryId?: string;
}
