import { KeyRuleError } from './key.errors.js';

/** An entry as operators write it. A final slash, a path, a query and credentials are none of it. */
const FORM = /^(?<scheme>https?):\/\/(?<host>(?:\*\.)?[^\s/?#@\\:[\]*%]+|\[[0-9a-f:.]+\])(?::\d+)?$/i;
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const WILDCARD = 'https://*.';

/** A label as browsers send it, in ASCII: no text that only ends like a site, nor two fields that arrive joined. */
const LABEL = /^[a-z0-9_-]+$/;

const MOST = 20;
/** What may be written, for people. */
const ALLOWED =
  'https://host[:port], https://*.host[:port] with a host of at least two labels, or http:// with localhost, ' +
  '127.0.0.1 or [::1]';

/**
 * The sites whose pages may use a publishable key: 1 to 20 origins in the form of the URL standard (section 4.7), where
 * `*` at the beginning of a host stands for one label. The bare host is not meant by it.
 */
export class KeyOrigins {
  private readonly exact: ReadonlySet<string>;
  /** What follows the label that `*` stands for: `.shelter.example:8443`. */
  private readonly endings: readonly string[];

  static readonly ALLOWED = ALLOWED;

  /** @param entries as they are stored and shown */
  private constructor(readonly entries: readonly string[]) {
    this.exact = new Set(entries);
    this.endings = entries.flatMap((entry) =>
      entry.startsWith(WILDCARD) ? [entry.slice(WILDCARD.length - 1)] : [],
    );
  }

  /**
   * What an operator has written, in the form of the URL standard: small letters, punycode, no default port.
   *
   * @throws KeyRuleError that names the entry and says what is allowed
   */
  static parse(texts: readonly string[]): KeyOrigins {
    const entries = texts.map((text) => parseEntry(text.trim()));
    if (entries.length < 1 || entries.length > MOST)
      throw new KeyRuleError(`A publishable key has 1 to ${MOST} origins: ${ALLOWED}.`);
    const twice = entries.find((entry, at) => entries.indexOf(entry) !== at);
    if (twice !== undefined)
      throw new KeyRuleError(`The origin ${twice} is given twice. Allowed, each once, are ${ALLOWED}.`);
    return new KeyOrigins(entries);
  }

  /** Entries as they are stored; `undefined` for a secret key, which has none. */
  static ofStored(entries: readonly string[]): KeyOrigins | undefined {
    return entries.length === 0 ? undefined : new KeyOrigins(entries);
  }

  /** Whether a page of this origin may use the key. The text is compared as it was sent, byte for byte. */
  allows(origin: string): boolean {
    return (
      (this.exact.has(origin) && !origin.startsWith(WILDCARD)) ||
      this.endings.some((ending) => {
        if (!origin.startsWith('https://') || !origin.endsWith(ending)) return false;
        return LABEL.test(origin.slice('https://'.length, -ending.length));
      })
    );
  }
}

/** @throws KeyRuleError */
function parseEntry(text: string): string {
  const { scheme, host } = FORM.exec(text)?.groups ?? {};
  if (scheme !== undefined && host !== undefined && URL.canParse(text)) {
    const { origin, hostname, protocol } = new URL(text);
    const isLocal = protocol === 'http:' && LOCAL_HOSTS.has(hostname);
    const labels = hostname.replace(/^\*\.|\.$/g, '').split('.');
    const isWide = hostname.startsWith('*.');
    // Characters that the URL standard takes for a star are none here.
    const hasStars = isWide !== host.startsWith('*.') || labels.some((label) => label.includes('*'));
    const isWhole = !labels.includes('') && !hasStars && (labels.length > 1 || !isWide);
    if (isWhole && (protocol === 'https:' || isLocal)) return origin;
  }
  throw new KeyRuleError(`${JSON.stringify(text)} is no origin of a site. Allowed are ${ALLOWED}.`);
}
