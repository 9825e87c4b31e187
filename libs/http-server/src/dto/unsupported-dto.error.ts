/** A DTO declares something that its checks would not do. Thrown at the start: the program is wrong, not a request. */
export class UnsupportedDtoError extends Error {
  override readonly name = 'UnsupportedDtoError';

  constructor(dto: string, property: string | undefined, what: string) {
    super(`${property === undefined ? dto : `${dto}.${property}`} ${what}.`);
  }
}
