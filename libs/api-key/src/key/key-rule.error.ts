/** What an operator asks for breaks a rule of keys. The message says which one, for a person. */
export class KeyRuleError extends Error {
  override readonly name = 'KeyRuleError';
}

/** No key has this id. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(readonly id: string) {
    super(`No key has the id ${id}.`);
  }
}
