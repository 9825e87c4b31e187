import {
  isExactNumber,
  isObject,
  type Declarations,
  type ListOptions,
  type Members,
  type ObjectOf,
  type ObjectValue,
  type SetOptions,
  type StringEnum,
  type TextOptions,
  type TextValue,
  type Value,
  jsonValue,
  type ValueSchema,
} from './value.js';

/* What values are made with: text, number, enumeration, flag, list and object. */

/** A text. */
export function text<T>(options: TextOptions<T>): TextValue<T> {
  const { kind = 'ascii', description, parse, problemOf, schema } = options;
  return {
    ...jsonValue(
      { kind, description, schema: { type: 'string', ...schema } },
      (json) => (typeof json === 'string' ? parse(json) : undefined),
      (json) => (typeof json === 'string' ? problemOf?.(json) : undefined),
    ),
    textDescription: description,
    parse,
  };
}

/** One of these strings, letter for letter. */
export function stringEnum<T extends string>(...all: readonly T[]): StringEnum<T> {
  const known: ReadonlySet<string> = new Set(all);
  const parse = (sent: string): T | undefined => (known.has(sent) ? (sent as T) : undefined);
  return { ALL: all, ...text({ description: `one of ${all.join(', ')}`, parse, schema: { enum: all } }) };
}

export const TRUE_OR_FALSE: TextValue<boolean> = {
  ...jsonValue({ kind: 'flag', description: 'true or false', schema: { type: 'boolean' } }, (json) =>
    typeof json === 'boolean' ? json : undefined,
  ),
  textDescription: 'true or false',
  parse: (sent) => (sent === 'true' || sent === 'false' ? sent === 'true' : undefined),
};

/** Largest signed 64-bit integer, 2^63 - 1, as its decimal digits. */
export const INT64_MAX = '9223372036854775807';

/** Without sign, leading zero, point or exponent. */
const PLAIN_DIGITS = /^(?:0|[1-9][0-9]*)$/;

/** The plain digits of a whole number from 0 up; `undefined` of one that a double may have rounded, and of anything else. */
function digitsOf(json: unknown): string | undefined {
  if (isExactNumber(json)) return json.toDigits();
  return Number.isSafeInteger(json) && Number(json) >= 0 ? String(json) : undefined;
}

/** Largest signed 32-bit integer. */
const INT32_MAX = 2 ** 31 - 1;

/** @param parse of plain digits */
function wholeNumber<T>(
  kind: 'int64' | 'number',
  { minimum, maximum }: Required<Pick<ValueSchema, 'minimum' | 'maximum'>>,
  parse: (digits: string) => T | undefined,
): TextValue<T> {
  const description = `a whole number from ${minimum} to ${maximum}`;
  const format = maximum > INT32_MAX ? 'int64' : 'int32';
  return {
    ...jsonValue(
      { kind, description, schema: { type: 'integer', format, minimum, maximum } },
      (json): T | undefined => {
        const digits = digitsOf(json);
        return digits === undefined ? digits : parse(digits);
      },
    ),
    textDescription: `${description} in plain decimal digits`,
    parse: (sent) => (PLAIN_DIGITS.test(sent) ? parse(sent) : undefined),
  };
}

/**
 * An int64, from 1 unless told otherwise: the plain decimal digits that it is, from the socket to the column and back, and
 * never a JavaScript number: a double is exact only up to 2^53.
 */
export function int64<Digits extends string>(least: 0 | 1 = 1): TextValue<Digits> {
  return wholeNumber('int64', { minimum: least, maximum: BigInt(INT64_MAX) }, (digits) => {
    if (digits === '0' && least === 1) return undefined;
    // Of two digit strings of the same length the larger number is the one that sorts last.
    const isInRange =
      digits.length < INT64_MAX.length || (digits.length === INT64_MAX.length && digits <= INT64_MAX);
    return isInRange ? (digits as Digits) : undefined;
  });
}

/** A whole number that a double holds. */
export function integer({
  least,
  most,
}: {
  readonly least: number;
  readonly most: number;
}): TextValue<number> {
  return wholeNumber('number', { minimum: least, maximum: most }, (digits) => {
    const parsed = Number(digits);
    return parsed >= least && parsed <= most ? parsed : undefined;
  });
}

/** A number, whole or not. */
export function number({ least, most }: { readonly least: number; readonly most: number }): Value<number> {
  const schema = { type: 'number', minimum: least, maximum: most } as const;
  return jsonValue({ kind: 'number', description: `a number from ${least} to ${most}`, schema }, (json) => {
    const parsed = isExactNumber(json) ? Number(json.source) : json;
    return typeof parsed === 'number' && parsed >= least && parsed <= most ? parsed : undefined;
  });
}

/** Items of one kind in their order. Problems are told of the items. */
export function listOf<T>(
  item: Value<T>,
  { least = 1, most, description }: ListOptions,
): Value<readonly T[]> {
  const schema = { type: 'array', minItems: least, maxItems: most, items: item.schema } as const;
  const list = jsonValue<readonly unknown[]>({ kind: 'list', schema, description }, (json) =>
    Array.isArray(json) && json.length >= least && json.length <= most ? json : undefined,
  );
  return {
    ...list,
    parseJson: (json, refuse, path = '') => {
      const parsed = list
        .parseJson(json, refuse, path)
        ?.map((each, at) => item.parseJson(each, refuse, `${path}[${at}]`));
      return parsed?.includes(undefined) === true ? undefined : (parsed as readonly T[] | undefined);
    },
  };
}

/** 1 to `most` different values: in a text with a comma between them, in JSON a list; one alone is a list of one. */
export function setOf<T>(
  item: TextValue<T>,
  { most, description, mayRepeat = false, maxLength = Infinity, order }: SetOptions<T>,
): TextValue<readonly T[]> {
  const collect = (sent: readonly unknown[], parse: (each: unknown) => T | undefined) => {
    const values = new Set<T>();
    for (const each of sent) {
      const parsed = parse(each);
      if (parsed === undefined) return undefined;
      if (values.has(parsed) ? !mayRepeat : values.size === most) return undefined;
      values.add(parsed);
    }
    if (values.size === 0) return undefined;
    return order === undefined ? [...values] : order.filter((value) => values.has(value));
  };
  const within = maxLength === Infinity ? '' : `, at most ${maxLength} characters`;
  const maxItems = mayRepeat ? maxLength / 2 : most;
  return {
    ...jsonValue(
      { kind: 'list', description, schema: { type: 'array', minItems: 1, maxItems, items: item.schema } },
      (json) => collect(Array.isArray(json) ? (json as unknown[]) : [json], (each) => item.parseJson(each)),
    ),
    textDescription: most === 1 ? description : `${description} with a comma between them${within}`,
    parse: (sent) =>
      sent.length > maxLength ? undefined : collect(sent.split(','), (each) => item.parse(each as string)),
  };
}

/** An object with these members, in their order; others are passed over. @param required those that may not be absent */
export function objectOf<M extends Declarations, Needed extends keyof M & string = never>(
  members: M,
  required: readonly Needed[] = [],
): ObjectValue<M, Needed> {
  const entries = Object.entries(members);
  const needed: ReadonlySet<string> = new Set(required);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const object = jsonValue<Members>(
    {
      kind: 'object',
      description: `an object with ${Object.keys(members).join(', ')}`,
      schema: { type: 'object', ...(required.length > 0 && { required }), properties },
    },
    (json) => (isObject(json) ? json : undefined),
  );
  return {
    ...object,
    members,
    parseJson: (json, refuse, path = '') => {
      const given = object.parseJson(json, refuse, path);
      if (given === undefined) return undefined;
      const parsed: Record<string, unknown> = {};
      let isAllowed = true;
      for (const [name, value] of entries) {
        const sent = Object.hasOwn(given, name) ? given[name] : undefined;
        const at = path === '' ? name : `${path}.${name}`;
        if (sent !== undefined) {
          const member = value.parseJson(sent, refuse, at);
          if (member === undefined) isAllowed = false;
          else parsed[name] = member;
        } else if (needed.has(name)) {
          refuse?.(at, 'is missing');
          isAllowed = false;
        }
      }
      return isAllowed ? (parsed as ObjectOf<M, Needed>) : undefined;
    },
  };
}
