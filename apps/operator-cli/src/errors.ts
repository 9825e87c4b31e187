/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  /** It could not be done: no such key, no database. */
  failure: 1,
  /** What was asked for is wrong: an option, a rule of keys, a file, the configuration. */
  usage: 2,
  /** Records of a file are no animals. */
  refused: 3,
  /** Too many animals would be taken from a source or a portal. */
  tooManyMissing: 4,
} as const;

/** A command failed. The message is for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: (typeof EXIT)[keyof typeof EXIT] = EXIT.failure,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A file cannot be imported at all: it is not there, is no file, or has another form. */
export class AnimalsFileError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
