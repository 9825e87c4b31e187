import { CategoryId, INT64_MAX } from '@petstore/pet-domain';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { QueryParameter } from './query-parameter.decorator.js';

/** The parameter `categoryId`; whether the category exists is not checked. @param description for the document */
export function CategoryIdParameter(description: string): PropertyDecorator {
  return QueryParameter(
    'categoryId',
    { ...INT64_SCHEMA, description },
    {
      parse: (text) => CategoryId.parse(text),
      expected: `a whole number from 1 to ${INT64_MAX} in plain decimal digits`,
    },
  );
}
