import type { ErrorDefinition } from '@petstore/http-server';
import { PageLimit, text, type TextValue } from '@petstore/pet-domain';
import { QueryMember } from '../operations/members.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { Cursor, MAX_CURSOR_LENGTH } from './cursor.js';

/**
 * What a parameter is for in a list: a `filter` decides which items the list has, so that cursors belong to it; an `option`
 * says how they are shown; a `place` says which of them a page has. Links keep filters and options.
 */
export type ParameterRole = 'filter' | 'option' | 'place';

/** What the document says of a list. */
export interface DescribedList {
  /** What it holds: "animals". */
  readonly what: string;
  /** The resource in its path, if there is one: "webhook". */
  readonly of?: string;
  /** The names of its filters. */
  readonly filters: readonly string[];
}

/** What the document says of a parameter beside the schema of its value. */
export interface Documented {
  readonly description: string | ((list: DescribedList) => string);
  readonly default?: unknown;
  readonly example?: unknown;
  /** Version of the contract that it comes with, if the operation had been released before. */
  readonly 'x-since'?: string;
}

/** A parameter of a list, which may be left out and is given at most once. */
export interface QueryParameter<Value = unknown, Role extends ParameterRole = ParameterRole> {
  readonly role: Role;
  /** `String` of what it parses is what was sent, so that links have it: a set keeps the order of its values. */
  readonly value: TextValue<Value>;
  readonly documented: Documented;
  /** Where it is not `invalid_parameter`. */
  readonly error?: ErrorDefinition;
}

const parameter =
  <Role extends ParameterRole>(role: Role) =>
  <Value>(value: TextValue<Value>, documented: Documented): QueryParameter<Value, Role> => ({
    role,
    value,
    documented,
  });

/** Only items that have this value. */
export const filter = parameter('filter');
/** How items are shown. */
export const option = parameter('option');
/** Which items a page has. */
export const place = parameter('place');

/** The size of a page (docs/contract.md, "Lists"). */
export const LIMIT = option(PageLimit, {
  description: ({ what }) => `Maximum number of ${what} returned.`,
  default: PageLimit.DEFAULT,
  example: PageLimit.DEFAULT,
});

/** Where a page begins. */
export function cursorOf<Id extends string>(): QueryParameter<Cursor<Id>, 'place'> {
  const cursor = text({
    description: 'one that this list gave out',
    // Which list it is of is seen when that is opened.
    parse: (sent) => Cursor.parse<Id>(sent),
    schema: { maxLength: MAX_CURSOR_LENGTH, pattern: '^[0-9A-Za-z_-]+$' },
  });
  const description = ({ filters, of }: DescribedList): string => {
    const ofSame = of === undefined ? '' : `, of the same ${of}`;
    const belongs =
      filters.length === 0 ? '' : ` Belongs to a list with the same ${listed(filters)}${ofSame}.`;
    return `Opaque position from the Link header of the page before.${belongs}`;
  };
  return { ...place(cursor, { description }), error: OPERATION_ERRORS.invalid_cursor };
}

/** The decorator of a parameter in the query of a list. */
export function memberOf(
  { value, documented, error }: QueryParameter,
  list: DescribedList,
): PropertyDecorator {
  const { description } = documented;
  const described = typeof description === 'string' ? description : description(list);
  return QueryMember(value, { ...documented, description: described }, error);
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' });

/** Names of parameters as the document lists them. */
export function listed(names: readonly string[]): string {
  return AND.format(names.map((name) => `\`${name}\``));
}
