import { isNativeError } from 'node:util/types';

/** What the log says of an error, and all that it says. */
export interface LoggedError {
  /** Name of its class. */
  readonly type: string;
  readonly message: string;
  /** SQLSTATE of PostgreSQL, or code of Node.js. */
  readonly code?: string;
  /** Constraint of the schema that was violated. */
  readonly constraint?: string;
  /** Where it was made: no message. */
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const DEEPEST = 5;
const LONGEST_MESSAGE = 500;
const MOST_FRAMES = 20;
const LONGEST_FRAME = 300;

/**
 * SQLSTATE classes whose messages name tables, columns, roles and files, and no values (PostgreSQL manual,
 * appendix A): those of rows stand in the detail, which is not logged. All others may hold what a client sent:
 * `invalid input syntax for type bigint: "..."` (22), a syntax error near it (42601), what a trigger says (P0).
 */
const WITHOUT_VALUES = ['08', '23', '25', '26', '28', '3D', '3F', '40', '42', '53', '55', '57', '58', 'XX'];
const WITH_VALUES: ReadonlySet<string> = new Set(['42601']);

/** One line of a stack: V8 puts a place in the code at its end. */
const FRAME = /^ {4}at .*(?:\(<anonymous>\)|\(native\)|:\d+:\d+\)?)$/;

/** Redis repeats what it was sent. */
const REPEATED = /,? with args beginning with:.*/s;

/**
 * Errors of the layers below carry what they were made of: SQL and its parameters, whole rows, commands, requests.
 * This takes only what is known to be free of it, of the causes too.
 */
export function logError(error: unknown): LoggedError {
  return describe(error, DEEPEST);
}

/** The places in a stack, without the message that it begins with. */
export function framesOf(stack: string, message = ''): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  // A message of several lines could look like places itself.
  const places = at < 0 ? stack : stack.slice(at + message.length);
  return places
    .split('\n')
    .filter((line) => line.length <= LONGEST_FRAME && FRAME.test(line))
    .slice(0, MOST_FRAMES)
    .join('\n');
}

function describe(error: unknown, depth: number): LoggedError {
  // What is thrown and is no error is somebody's data.
  if (!isNativeError(error)) return { type: typeof error, message: 'something that is no error was thrown' };
  const { name, message, stack, code, constraint, cause, driverError, errors } = error as UntrustedError;
  const first: unknown = Array.isArray(errors) ? (errors as readonly unknown[])[0] : undefined;
  const deeper = [driverError, first, cause].find((one) => isNativeError(one) && one !== error);
  const frames = typeof stack === 'string' ? framesOf(stack, textOf(message)) : '';
  return {
    type: matching(name, /^[\w$.]{1,100}$/) ?? 'Error',
    message: messageOf(error),
    ...optional('code', matching(code, /^\w{1,64}$/)),
    ...optional('constraint', matching(constraint, /^[\w$]{1,63}$/)),
    ...optional('stack', frames === '' ? undefined : frames),
    ...(deeper !== undefined && depth > 1 && { cause: describe(deeper, depth - 1) }),
  };
}

function messageOf(error: UntrustedError): string {
  const { driverError, code } = error;
  // TypeORM's has the message of the driver's.
  const state = sqlStateOf(code) ?? sqlStateOf((driverError as UntrustedError | undefined)?.code);
  if (state !== undefined && !isWithoutValues(state)) return `PostgreSQL refused it (SQLSTATE ${state}).`;
  return textOf(error.message).replace(REPEATED, '').slice(0, LONGEST_MESSAGE);
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : '';
}

/** Node's own codes, such as `ECONNREFUSED`, look otherwise. */
function sqlStateOf(code: unknown): string | undefined {
  return matching(code, /^(?=.*\d)[0-9A-Z]{5}$/);
}

function isWithoutValues(state: string): boolean {
  return WITHOUT_VALUES.some((prefix) => state.startsWith(prefix)) && !WITH_VALUES.has(state);
}

/** An error of anybody's making: its members may be anything. */
interface UntrustedError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
}

function matching(text: unknown, pattern: RegExp): string | undefined {
  return typeof text === 'string' && pattern.test(text) ? text : undefined;
}

function optional<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>);
}
