import { described, PageLimit, text } from '@petstore/pet-domain';
import { queryMember } from '../operations/members.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import type { CursorFormat } from './cursor.js';

/** Longest cursor that a client must be able to carry, in characters; none is as long today. */
export const MAX_CURSOR_LENGTH = 64;

/** The parameter `limit` of a list (specification, section 4.1). @param what the list holds: "animals" */
export function LimitParameter(what: string): PropertyDecorator {
  return queryMember(described(PageLimit, `Maximum number of ${what} returned.`, PageLimit.DEFAULT), {
    default: PageLimit.DEFAULT,
  });
}

/** The parameter `cursor` of a list. @param filters of the list, if it has any, as people read them: "the same `status`" */
export function CursorParameter(format: Pick<CursorFormat, 'decode'>, filters?: string): PropertyDecorator {
  const cursor = text({
    description: 'one that this list gave out',
    parse: (sent) => format.decode(sent),
    schema: { maxLength: MAX_CURSOR_LENGTH, pattern: '^[0-9A-Za-z_-]+$' },
  });
  const belongs = filters === undefined ? '' : ` Belongs to a list with ${filters}.`;
  const description = `Opaque position from the Link header of the page before.${belongs}`;
  return queryMember(cursor, { description }, OPERATION_ERRORS.invalid_cursor);
}
