import fc from 'fast-check';
import { anyCharacter } from './any-character.js';

/** What a path and a query may hold unescaped (RFC 3986, section 3.4). */
const UNESCAPED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?";

/**
 * What may follow the first slash of a path, or the question mark of a query. fast-check's `webPath`, `webQueryParameters`
 * and `webUrl` make the same, but first a list of all characters, as described at {@link anyCharacter}.
 */
export const urlPart: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...UNESCAPED.split('')) },
    { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
  ),
});
