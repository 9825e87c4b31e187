import { isNativeError } from 'node:util/types';

/** Everything that the log contains of an error. */
export interface LoggedError {
  /** Name of its class. */
  readonly type: string;
  readonly message: string;
  /** SQLSTATE of PostgreSQL, or code of Node.js. */
  readonly code?: string;
  /** Name of the prepared statement that failed. */
  readonly statement?: string;
  /** Constraint of the schema that was violated. */
  readonly constraint?: string;
  /** Stack frames without the message. */
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Bounds of what is logged: causes of causes, characters, stack frames, characters of a frame. */
const MAX_DEPTH = 5;
const MAX_MESSAGE_LENGTH = 500;
const MAX_FRAMES = 20;
const MAX_FRAME_LENGTH = 300;

/**
 * SQLSTATE classes whose messages name tables, columns, roles and files, and no values (PostgreSQL manual,
 * appendix A): values of rows are in the detail, which is not logged. All others may contain what a client sent:
 * `invalid input syntax for type bigint: "..."` (22), a syntax error near it (42601), the message of a trigger (P0).
 */
const WITHOUT_VALUES = ['08', '23', '25', '26', '28', '3D', '3F', '40', '42', '53', '55', '57', '58', 'XX'];
const WITH_VALUES: ReadonlySet<string> = new Set(['42601']);

/** One line of a stack: V8 ends it with a position in the code. */
const FRAME = /^ {4}at .*(?:\(<anonymous>\)|\(native\)|:\d+:\d+\)?)$/;

/** Redis repeats the arguments that it was sent. */
const REPEATED = /,? with args beginning with:.*/s;

/**
 * Errors of lower layers carry data: SQL and its parameters, whole rows, commands, requests. Only members that never
 * contain any are taken, also of the causes.
 */
export function logError(error: unknown): LoggedError {
  return describe(error, MAX_DEPTH);
}

/** The frames of a stack, without the message that it begins with. */
export function framesOf(stack: string, message = ''): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  // A message of several lines could itself look like frames.
  const places = at < 0 ? stack : stack.slice(at + message.length);
  return places
    .split('\n')
    .filter((line) => line.length <= MAX_FRAME_LENGTH && FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}

function describe(error: unknown, depth: number): LoggedError {
  // A thrown value that is not an error may be anyone's data.
  if (!isNativeError(error))
    return { type: typeof error, message: 'a value that is not an error was thrown' };
  const { name, message, stack, code, statement, constraint, cause, driverError, errors } =
    error as UntrustedError;
  const first: unknown = Array.isArray(errors) ? (errors as readonly unknown[])[0] : undefined;
  const deeper = [driverError, first, cause].find((one) => isNativeError(one) && one !== error);
  const frames = typeof stack === 'string' ? framesOf(stack, textOf(message)) : '';
  return {
    type: matching(name, /^[\w$.]{1,100}$/) ?? 'Error',
    message: messageOf(error),
    ...optional('code', matching(code, /^\w{1,64}$/)),
    ...optional('statement', matching(statement, /^[a-z_]{1,63}$/)),
    ...optional('constraint', matching(constraint, /^[\w$]{1,63}$/)),
    ...optional('stack', frames === '' ? undefined : frames),
    ...(deeper !== undefined && depth > 1 && { cause: describe(deeper, depth - 1) }),
  };
}

function messageOf(error: UntrustedError): string {
  const { driverError, code } = error;
  // TypeORM's error has the message of the driver's error.
  const state = sqlStateOf(code) ?? sqlStateOf((driverError as UntrustedError | undefined)?.code);
  if (state !== undefined && !isWithoutValues(state)) return `PostgreSQL refused it (SQLSTATE ${state}).`;
  return textOf(error.message).replace(REPEATED, '').slice(0, MAX_MESSAGE_LENGTH);
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

/** An error from any source: its members may have any type. */
interface UntrustedError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly code?: unknown;
  readonly statement?: unknown;
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
