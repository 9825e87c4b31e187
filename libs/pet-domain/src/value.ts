/*
 * The language in which a value is declared, once: what documents say of it, what is allowed in words, and how JSON or a
 * text becomes it or is refused. Members of bodies and profiles, parameters of queries, arguments of tools and columns of
 * files are made of these declarations.
 */

declare const brand: unique symbol;

/** Values of `Base` that have been checked to be of one kind. */
export type Branded<Base, Kind extends string> = Base & { readonly [brand]: Readonly<Record<Kind, true>> };

/** What documents say of a value, as JSON Schema. */
export interface ValueSchema {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object';
  /** Its name among the schemas of a document, of one that is referred to. */
  readonly title?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  /** A bigint where a double would not be exact. */
  readonly maximum?: number | bigint;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: ValueSchema;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

/**
 * Is told each problem of a value, in declared order; to end the parsing with the first one, it throws.
 *
 * @param path of what is wrong, such as `photos[3].url`; indexes count from 0
 * @param problem behind the path: "must be ..."
 */
export type Refuse = (path: string, problem: string) => void;

/**
 * How a value is kept and written: a text of people on one line or on several, ASCII that needs no escape, JSON text, and so
 * on.
 */
export type ValueKind =
  | 'text'
  | 'lines'
  | 'ascii'
  | 'json'
  | 'instant'
  | 'int64'
  | 'number'
  | 'flag'
  | 'list'
  | 'object';

/** An object of JSON, or another one of which the members are not known. */
export type Members = Readonly<Record<string, unknown>>;

export interface Value<T> {
  readonly kind: ValueKind;
  readonly schema: ValueSchema;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly description: string;
  /** Of an object, in their order. */
  readonly members?: Declarations;
  /**
   * The value that stands for JSON; `undefined` when it is not allowed. `null` is no value: what it means in a merge patch is
   * not the value's to say.
   *
   * @param json as `JSON.parse` makes it, or with {@link ExactNumber}s
   * @param path of the value, for its problems
   */
  readonly parseJson: (json: unknown, refuse?: Refuse, path?: string) => T | undefined;
}

/** A value that a query parameter, a cell or an option can have, too. */
export interface TextValue<T> extends Value<T> {
  /** What is allowed in a text. */
  readonly textDescription: string;
  /** The value that `text` is, letter for letter; `undefined` when it is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

export type ValueOf<V> = V extends Value<infer T> ? T : never;

/** A number of JSON as it is written, which a double would round: `JsonNumber` of `libs/http-server` is one. */
export interface ExactNumber {
  readonly source: string;
  /** The plain decimal digits of a whole number from 0 up; `undefined` of another, or one that is longer than an int64. */
  readonly toDigits: () => string | undefined;
}

/** A closed set of strings. */
export interface StringEnum<T extends string> extends TextValue<T> {
  /** Its values, in their order. */
  readonly ALL: readonly T[];
}

/** An identifier of one kind of thing: the decimal digits of an int64 from 1 to 2^63 - 1 (docs/contract.md, "Animals"). */
export type Int64Id<Kind extends string> = Branded<string, Kind>;

/** What a text is made with. */
export interface TextOptions<T> {
  readonly kind?: 'text' | 'lines' | 'ascii' | 'instant';
  readonly description: string;
  readonly parse: (text: string) => T | undefined;
  /** What is wrong with a text, where that has words of its own: "must not hold ...". */
  readonly problemOf?: (text: string) => string | undefined;
  readonly schema: Omit<ValueSchema, 'type'>;
}

/** What a list is made with. */
export interface ListOptions {
  readonly least?: number;
  readonly most: number;
  readonly description: string;
}

/** What a list of different values is made with. */
export interface SetOptions<T> {
  /** Most different ones. */
  readonly most: number;
  /** "1 to 100 different ids". */
  readonly description: string;
  /** Whether one that is there again is passed over, and not refused. */
  readonly mayRepeat?: boolean;
  /** Longest text, in characters; where repetitions may make it long. */
  readonly maxLength?: number;
  /** The order in which the values are given back, where it is not that of their first appearance. */
  readonly order?: readonly T[];
}

/** The values of members, by their names. */
export type Declarations = Readonly<Record<string, Value<unknown>>>;

/** What an object with these members is; all but the required ones may be absent. */
export type ObjectOf<M extends Declarations, Needed extends keyof M> = {
  readonly [Name in Needed]: ValueOf<M[Name]>;
} & { readonly [Name in Exclude<keyof M, Needed>]?: ValueOf<M[Name]> | undefined };

export interface ObjectValue<M extends Declarations, Needed extends keyof M = never> extends Value<
  ObjectOf<M, Needed>
> {
  readonly members: M;
}

export function isExactNumber(json: unknown): json is ExactNumber {
  // JSON has no functions: nothing that is sent looks like this.
  return (
    typeof json === 'object' && json !== null && typeof (json as Partial<ExactNumber>).toDigits === 'function'
  );
}

/** A value of JSON. @param read the value that JSON is. @param problemOf why it is none, where that is said in other words */
export function jsonValue<T>(
  declared: Omit<Value<T>, 'parseJson'>,
  read: (json: unknown) => T | undefined,
  problemOf?: (json: unknown) => string | undefined,
): Value<T> {
  return {
    ...declared,
    parseJson: (json, refuse, path = '') => {
      const parsed = read(json);
      if (parsed === undefined) refuse?.(path, problemOf?.(json) ?? `must be ${declared.description}`);
      return parsed;
    },
  };
}

/** A JSON object. */
export function isObject(json: unknown): json is Members {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !isExactNumber(json);
}

/** The same value, with what it means here. */
export function described<V extends Value<unknown>>(value: V, meaning: string, example?: unknown): V {
  const schema = { ...value.schema, description: meaning, ...(example !== undefined && { example }) };
  return { ...value, schema };
}

/** The same value, which documents refer to by a name. */
export function titled<V extends Value<unknown>>(title: string, value: V): V {
  return { ...value, schema: { ...value.schema, title } };
}

/** A value of JSON of which more is asked. @param problemOf where something is wrong with it, and what: "must differ ..." */
export function refined<T>(
  value: Value<T>,
  problemOf: (value: T, path: string) => readonly [path: string, problem: string] | undefined,
): Value<T> {
  return {
    ...value,
    parseJson: (json, refuse, path = '') => {
      const parsed = value.parseJson(json, refuse, path);
      const problem = parsed === undefined ? undefined : problemOf(parsed, path);
      if (problem === undefined) return parsed;
      refuse?.(...problem);
      return undefined;
    },
  };
}
