import type { TextValue } from '@petstore/pet-domain';
import { InvalidArgumentError } from 'commander';

/**
 * Reads an option or an argument as a value is declared, or says what is allowed.
 *
 * @param what it is, as a sentence begins: "A source"
 */
export function parserOf<T>(
  value: Pick<TextValue<T>, 'parse' | 'textDescription'>,
  what: string,
): (text: string) => T {
  return (text) => {
    const parsed = value.parse(text);
    if (parsed === undefined) throw new InvalidArgumentError(`${what} is ${value.textDescription}.`);
    return parsed;
  };
}

/** Values between commas; one with a comma in it is quoted. */
export function parseList(text: string): readonly string[] {
  const entries = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const values = entries.map((entry) => entry.replaceAll('"', '').trim()).filter((value) => value !== '');
  if (values.length > 0) return values;
  throw new InvalidArgumentError('At least one value is needed.');
}
