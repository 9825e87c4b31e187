import { crc32 } from 'node:zlib';
import { ApiError } from '@petstore/http-server';
import { int64 } from '@petstore/pet-domain';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';

/** The prefixes of all lists: a cursor of one leads nowhere in another. */
const PREFIXES = new Set<string>();

/** Digits of the check in front of a cursor. */
const CHECK_LENGTH = 7;

const ID = int64();

/** An int64 in base 36. */
const NUMBER = '[1-9a-z][0-9a-z]{0,12}';

/** A position in a list: behind the item `before`, in a list with these filters. */
export interface CursorPosition<Id extends string = string, Status extends string = string> {
  /** Id of the last item of the page before, in decimal digits. */
  readonly before: Id;
  readonly status?: Status | undefined;
  /** Id that the list is filtered by, in decimal digits. */
  readonly filter?: string | undefined;
}

/**
 * The text form of positions in one kind of list: `<check><prefix><status><id>`, and `-<id>` for a list that is filtered
 * by an id. Letters, digits, `_` and `-` only, so that a URL needs no escapes. The status is at most one character, the ids
 * are base 36. The check detects cursors that were cut, mistyped or joined. It is no secret: a forged cursor leads only to a
 * position that the list would show anyway.
 */
export class CursorFormat<Id extends string = string, Status extends string = string> {
  private readonly form: RegExp;

  /**
   * @param prefix distinguishes the cursors of this list
   * @param statuses that the list can be filtered by, each with its character; `undefined` is for a list of all
   * @throws {RangeError} when another list has this prefix
   */
  constructor(
    private readonly prefix: string,
    private readonly statuses: ReadonlyMap<Status | undefined, string>,
  ) {
    if (PREFIXES.has(prefix)) throw new RangeError(`Two lists have cursors with the prefix "${prefix}".`);
    PREFIXES.add(prefix);
    const status = [...statuses.values()].join('|');
    this.form = new RegExp(`^[0-9a-z]{${CHECK_LENGTH}}${prefix}(${status})(${NUMBER})(?:-(${NUMBER}))?$`);
  }

  encode({ before, status, filter }: CursorPosition<Id, Status>): string {
    const suffix = filter === undefined ? '' : `-${BigInt(filter).toString(36)}`;
    const payload = `${this.prefix}${this.statuses.get(status) ?? ''}${BigInt(before).toString(36)}${suffix}`;
    return checkOf(payload) + payload;
  }

  /** The cursor of the page behind this one; `undefined` when it is the last. @param filters of the list */
  next(
    { last, more }: { readonly last: Id | undefined; readonly more: boolean },
    filters: Omit<CursorPosition<Id, Status>, 'before'>,
  ): string | undefined {
    return more && last !== undefined ? this.encode({ ...filters, before: last }) : undefined;
  }

  /** The position, or `undefined` when {@link encode} never made such a text. */
  decode(text: string): CursorPosition<Id, Status> | undefined {
    const parts = this.form.exec(text);
    if (parts === null || checkOf(text.slice(CHECK_LENGTH)) !== text.slice(0, CHECK_LENGTH)) return undefined;
    const [, character, id = '', filterId] = parts;
    const before = fromBase36(id);
    const filter = filterId && fromBase36(filterId);
    if (ID.parse(before) === undefined || (filter !== undefined && ID.parse(filter) === undefined))
      return undefined;
    const [status] = [...this.statuses].find(([, each]) => each === character) ?? [];
    return { before: before as Id, status, filter };
  }
}

/** A digit for each status, 0 for a list of all. */
export function numbered<Status extends string>(
  statuses: readonly Status[],
): ReadonlyMap<Status | undefined, string> {
  return new Map([undefined, ...statuses].map((status, index) => [status, String(index)] as const));
}

/**
 * The id in a valid cursor, behind which the page begins.
 *
 * @param filters of this request
 * @param what the cursor may belong to instead, for the message: "a list with another status"
 * @throws ApiError `invalid_cursor` when the cursor is from a list with other filters
 */
export function positionIn<Id extends string>(
  cursor: CursorPosition<Id> | undefined,
  filters: Omit<CursorPosition, 'before'>,
  what: string,
): Id | undefined {
  if (cursor === undefined) return undefined;
  if (cursor.status === filters.status && cursor.filter === filters.filter) return cursor.before;
  throw new ApiError(OPERATION_ERRORS.invalid_cursor, {
    message: `The cursor belongs to ${what}. Send the filters that it was given out for.`,
  });
}

function checkOf(payload: string): string {
  return crc32(payload).toString(36).padStart(CHECK_LENGTH, '0');
}

/** Digits of base 36 as decimal ones. */
function fromBase36(digits: string): string {
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value.toString();
}
