import { hash } from 'node:crypto';
import { type Branded, int64 } from '@petstore/pet-domain';

/** Longest cursor that a client must be able to carry, in characters; none is as long today. */
export const MAX_CURSOR_LENGTH = 64;

declare const of: unique symbol;

/** A text of the form of cursors in lists of things with these ids, which need not be one. */
export type Cursor<Id extends string = string> = Branded<string, 'Cursor'> & { readonly [of]?: Id };

const ID = int64();

/** Hexadecimal digits of the check in front of a cursor: 64 bits. */
const CHECK_LENGTH = 16;
const FORM = new RegExp(`^[0-9a-f]{${CHECK_LENGTH}}[1-9][0-9]{0,18}$`);

/**
 * The text form of a position in a list: behind the item with this id. It begins with a check of the id and of the list, so
 * that it is refused when it was cut, mistyped or belongs to another list. It is no secret: a forged cursor leads only to a
 * position that the list would show anyway.
 */
export const Cursor = {
  /** `undefined` for a text of another form. */
  parse: <Id extends string>(text: string): Cursor<Id> | undefined =>
    FORM.test(text) ? (text as Cursor<Id>) : undefined,

  /** @param list its path and all filters: what no two different lists have in common */
  encode: <Id extends string>(id: Id, list: string): Cursor<Id> => (checkOf(id, list) + id) as Cursor<Id>,

  /** The id in decimal digits; `undefined` when {@link Cursor.encode} never made such a text for this list. */
  decode<Id extends string>(cursor: Cursor<Id>, list: string): Id | undefined {
    const id = cursor.slice(CHECK_LENGTH);
    return ID.parse(id) !== undefined && cursor.startsWith(checkOf(id, list)) ? (id as Id) : undefined;
  },
} as const;

function checkOf(id: string, list: string): string {
  return hash('sha256', `${id} ${list}`).slice(0, CHECK_LENGTH);
}
