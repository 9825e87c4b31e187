/** A target in absolute form: its authority, which has no user information, and the rest (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+([/?].*)?$/is;

/** Stands for a target of no known form: Express takes it for a path, and no client can be served at it. */
const UNKNOWN = '/#';

/**
 * The target of a request as a path and a query, or `*` (origin form, RFC 9112, section 3.2.1): of the absolute form only
 * these are kept, since this server has one authority. Before Express has the request, which answers in its own form where
 * it finds no path.
 */
export function toOriginForm(sent: string): string {
  if (sent.startsWith('/') || sent === '*') return sent;
  const [matched, rest = '/'] = ABSOLUTE.exec(sent) ?? [];
  if (matched === undefined) return UNKNOWN;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether what {@link toOriginForm} returns is a target that a client may send. */
export function isOriginForm(target: string): boolean {
  return !target.includes('#');
}

/**
 * A target in which a `%` of the path that starts no escape of valid UTF-8 is taken as the character itself; Express would
 * refuse it before the key is checked.
 */
export function withPlainPercents(target: string): string {
  const [path = ''] = target.split('?', 1);
  if (!path.includes('%') || isDecodable(path)) return target;
  return path.replaceAll('%', '%25') + target.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    // The result is used: a bundler drops a call without a use, although it may throw.
    return typeof decodeURIComponent(path) === 'string';
  } catch {
    return false;
  }
}
