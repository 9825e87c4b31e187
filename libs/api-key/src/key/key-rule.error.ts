/** What an operator asks for is against the rules of keys. The message tells which, in words for a person. */
export class KeyRuleBroken extends Error {
  override readonly name = 'KeyRuleBroken';
}

/** No key has this id. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';

  constructor(readonly id: string) {
    super(`No key has the id ${id}.`);
  }
}
