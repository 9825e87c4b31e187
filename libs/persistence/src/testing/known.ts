/** The value that a parser of the domain gave for a text that a test knows to be right. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not a value of the domain');
  return value;
}
