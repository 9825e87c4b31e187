/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  /** It could not be done: no such key, no database, not confirmed. */
  failure: 1,
  /** What was asked for is wrong: an option, a rule of keys, a file, the configuration. */
  usage: 2,
  /** Records of a file are no animals. */
  refused: 3,
} as const;
