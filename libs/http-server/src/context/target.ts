/** A target in absolute form: its authority, which has no user information, and the rest (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+([/?].*)?$/is;

/**
 * Brings the target of a request into one form: a path and a query (origin form, RFC 9112, section 3.2.1).
 *
 * - Of the absolute form only path and query are kept; this server has one authority.
 * - A `%` that starts no escape of valid UTF-8 is taken as the character itself; Express would refuse it before the key
 *   is checked.
 *
 * @returns the target as it was sent where it has no known form
 */
export function normalizeTarget(sent: string): string {
  const [matched, rest = '/'] = sent.startsWith('/') ? [] : (ABSOLUTE.exec(sent) ?? []);
  if (matched !== undefined) return withPlainPercents(rest.startsWith('/') ? rest : `/${rest}`);
  return sent.startsWith('/') ? withPlainPercents(sent) : sent;
}

/** Whether a target is a path with an optional query, or `*`. */
export function isOriginForm(target: string): boolean {
  return (target.startsWith('/') || target === '*') && !target.includes('#');
}

function withPlainPercents(target: string): string {
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
