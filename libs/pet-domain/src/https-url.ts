import type { Branded } from './value-types.js';

/** An https URL exactly as it was given: of a photo, or of a page about an animal (docs/contract.md, "Profiles"). */
export type HttpsUrl = Branded<string, 'HttpsUrl'>;

/** Longest URL, in characters. */
const MAX_LENGTH = 2_048;

/** Printable ASCII without space and the characters that RFC 3986 allows nowhere, but `[`, `]` and a lone `%`. */
const CHARACTERS = /^[!#-;=?-[\]_a-z~]+$/;

const SCHEME = 'https://';

/** What stands between `https://` and the path, query or fragment. */
const AUTHORITY = /^[^/?#]*/;

export const HttpsUrl = {
  MAX_LENGTH,
  /** For documents, which say no `format: uri`: `[` and a lone `%` are allowed. */
  PATTERN: '^https://[!$-.0-;=A-Z\\[\\]_a-z~]+([/?#][!#-;=?-\\[\\]_a-z~]*)?$',
  /** What is allowed, as a refusal says it: "page must be ...". */
  description:
    `an https URL of at most ${MAX_LENGTH} characters that begins with https:// in small letters and has a host and no ` +
    'user name or password; international host names in punycode (xn--...), other characters percent-encoded',
  /** `text` as a URL, or `undefined` when it is not allowed. The service never connects to it. */
  parse(text: string): HttpsUrl | undefined {
    if (text.length > MAX_LENGTH || !text.startsWith(SCHEME) || !CHARACTERS.test(text)) return undefined;
    const [authority = ''] = AUTHORITY.exec(text.slice(SCHEME.length)) ?? [];
    if (authority === '' || authority.includes('@') || !URL.canParse(text)) return undefined;
    return text as HttpsUrl;
  },
} as const;
