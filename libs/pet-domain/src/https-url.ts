import type { Branded } from './value.js';
import { text } from './values.js';

/** An https URL exactly as it was given: of a photo, or of a page about an animal (docs/contract.md, "Profiles"). */
export type HttpsUrl = Branded<string, 'HttpsUrl'>;

/** Longest URL, in characters. */
const MAX_LENGTH = 2_048;

/** Printable ASCII without space and the characters that RFC 3986 allows nowhere, but `[`, `]` and a lone `%`. */
const CHARACTERS = /^[!#-;=?-[\]_a-z~]+$/;

const SCHEME = 'https://';

/** What stands between `https://` and the path, query or fragment. */
const AUTHORITY = /^[^/?#]*/;

export const HttpsUrl = text({
  description:
    `an https URL of at most ${MAX_LENGTH} characters that begins with https:// in small letters and has a host and no ` +
    'user name or password; international host names in punycode (xn--...), other characters percent-encoded',
  // The service never connects to it.
  parse: (sent) => {
    if (sent.length > MAX_LENGTH || !sent.startsWith(SCHEME) || !CHARACTERS.test(sent)) return undefined;
    const [authority = ''] = AUTHORITY.exec(sent.slice(SCHEME.length)) ?? [];
    if (authority === '' || authority.includes('@') || !URL.canParse(sent)) return undefined;
    return sent as HttpsUrl;
  },
  schema: {
    maxLength: MAX_LENGTH,
    // No `format: uri`: `[` and a lone `%` are allowed.
    pattern: '^https://[!$-.0-;=A-Z\\[\\]_a-z~]+([/?#][!#-;=?-\\[\\]_a-z~]*)?$',
  },
});
