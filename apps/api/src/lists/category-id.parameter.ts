import { CategoryId, INT64_MAX } from '@petstore/pet-domain';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { type DocumentedParameter, QueryParameter } from './query-parameter.decorator.js';

/** The parameter `categoryId`; whether the category exists is not checked. */
export function CategoryIdParameter(
  documented: Pick<DocumentedParameter, 'description' | 'x-since'>,
): PropertyDecorator {
  return QueryParameter(
    'categoryId',
    { ...INT64_SCHEMA, ...documented },
    {
      parse: (text) => CategoryId.parse(text),
      expected: `a whole number from 1 to ${INT64_MAX} in plain decimal digits`,
    },
  );
}
