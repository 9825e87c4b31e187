import { int64, PageLimit, type StringEnum } from '@petstore/pet-domain';
import { INT64_SCHEMA, queryMember } from '../operations/members.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import type { CursorFormat } from './cursor.js';

/** Longest cursor that a client must be able to carry, in characters; none is as long today. */
export const MAX_CURSOR_LENGTH = 64;

/** The parameter `limit` of a list (specification, section 4.1). @param what the list holds: "animals" */
export function LimitParameter(what: string): PropertyDecorator {
  return queryMember(
    {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: PageLimit.MAX,
      default: PageLimit.DEFAULT,
      description: `Maximum number of ${what} returned.`,
      example: PageLimit.DEFAULT,
    },
    {
      parse: PageLimit.parse,
      description: PageLimit.textDescription,
    },
  );
}

/** The parameter `cursor` of a list. @param filters of the list, if it has any, as people read them: "the same `status`" */
export function CursorParameter(format: Pick<CursorFormat, 'decode'>, filters?: string): PropertyDecorator {
  return queryMember(
    {
      type: String,
      maxLength: MAX_CURSOR_LENGTH,
      pattern: '^[0-9A-Za-z_-]+$',
      description: `Opaque position from the Link header of the page before.${filters === undefined ? '' : ` Belongs to a list with ${filters}.`}`,
    },
    {
      parse: (text) => format.decode(text),
      description: 'one that this list gave out',
      error: OPERATION_ERRORS.invalid_cursor,
    },
  );
}

const ID = int64();

/** A parameter that is an int64; whether something has this id is not checked. @param documented beside its type */
export function IdParameter(documented: {
  readonly description: string;
  readonly 'x-since'?: string;
}): PropertyDecorator {
  return queryMember(
    { ...INT64_SCHEMA, ...documented },
    {
      parse: ID.parse,
      description: ID.textDescription,
    },
  );
}

/** A parameter that is a value of a string enum. @param documented beside it; `enumName` is that of its schema */
export function EnumParameter(
  values: StringEnum<string>,
  documented: { readonly description: string; readonly enumName?: string; readonly example?: string },
): PropertyDecorator {
  return queryMember({ enum: [...values.ALL], ...documented }, values);
}
