import { PageLimit } from '@petstore/pet-domain';
import { QueryParameter } from './query-parameter.decorator.js';

/** The parameter `limit` of a list (specification, section 4.1). @param what the list holds: "animals" */
export function LimitParameter(what: string): PropertyDecorator {
  return QueryParameter(
    'limit',
    {
      type: 'integer',
      format: 'int32',
      minimum: PageLimit.MIN,
      maximum: PageLimit.MAX,
      default: PageLimit.DEFAULT,
      description: `Maximum number of ${what} returned.`,
      example: PageLimit.DEFAULT,
    },
    {
      parse: (text) => PageLimit.parse(text),
      expected: `a whole number from ${PageLimit.MIN} to ${PageLimit.MAX} in plain decimal digits`,
    },
  );
}

/** The limit of a valid query. */
export function pageLimitOf(text: string | undefined): number {
  return (text === undefined ? undefined : PageLimit.parse(text)) ?? PageLimit.DEFAULT;
}
