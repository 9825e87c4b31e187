import { LIST_ERRORS } from './list.errors.js';
import { QueryParameter } from './query-parameter.decorator.js';

/** Longest cursor that a client must be able to carry, in characters; none is as long today. */
export const MAX_CURSOR_LENGTH = 64;

/** The parameter `cursor` of a list. @param filters of the list, if it has any, as people read them: "the same `status`" */
export function CursorParameter(decode: (text: string) => unknown, filters?: string): PropertyDecorator {
  return QueryParameter(
    'cursor',
    {
      type: String,
      maxLength: MAX_CURSOR_LENGTH,
      pattern: '^[0-9A-Za-z_-]+$',
      description: `Opaque position from the Link header of the page before.${filters === undefined ? '' : ` Belongs to a list with ${filters}.`}`,
    },
    { parse: decode, expected: 'one that this list gave out', error: LIST_ERRORS.invalid_cursor },
  );
}
