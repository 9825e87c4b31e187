/**
 * Authentication methods, by the names of libpq's `require_auth` (PostgreSQL manual, "Database Connection Control
 * Functions"). pg supports no others.
 */
const METHODS = ['password', 'md5', 'scram-sha-256', 'none'] as const;
export type AuthMethod = (typeof METHODS)[number];

/** Methods of libpq that pg does not support. */
const FOREIGN: ReadonlySet<string> = new Set(['gss', 'sspi', 'oauth']);

/** The password is sent only to a server that proves that it knows it already. */
const WITH_PASSWORD: ReadonlySet<AuthMethod> = new Set(['scram-sha-256']);
/** Without one the server may know the client by its user id or certificate (`peer`, `cert`, `trust`). */
const WITHOUT_PASSWORD: ReadonlySet<AuthMethod> = new Set(['scram-sha-256', 'none']);

/** The server requires a way of authentication that is not allowed. The message says how to allow it. */
export class AuthenticationRefusedError extends Error {
  override readonly name = 'AuthenticationRefusedError';
}

/** The parameter `require_auth` of a connection URL is not one. */
export class RequireAuthError extends Error {
  override readonly name = 'RequireAuthError';
}

/** What the URL's parameter `require_auth` says; `undefined` without one. */
export function requireAuthOf(url: string): string | undefined {
  const [beforeFragment = ''] = url.split('#');
  const mark = beforeFragment.indexOf('?');
  if (mark < 0) return undefined;
  const all = new URLSearchParams(beforeFragment.slice(mark + 1)).getAll('require_auth');
  if (all.length > 1) throw new RequireAuthError('require_auth may stand there only once.');
  return all[0];
}

/**
 * The allowed authentication methods. A list allows these alone; one with `!` before each forbids these.
 *
 * @param requireAuth as in libpq; `undefined` or empty for the default
 * @throws {RequireAuthError} when it is no such list
 */
export function allowedMethods(
  requireAuth: string | undefined,
  hasPassword: boolean,
): ReadonlySet<AuthMethod> {
  if (requireAuth === undefined || requireAuth === '') return hasPassword ? WITH_PASSWORD : WITHOUT_PASSWORD;
  const words = requireAuth.split(',').map((word) => word.trim());
  const named = words.map((word) => word.replace(/^!/, ''));
  const isList = named.every((word) => isMethod(word) || FOREIGN.has(word));
  const forbids = words.filter((word) => word.startsWith('!')).length;
  if (!isList || (forbids > 0 && forbids < words.length)) {
    throw new RequireAuthError(
      `require_auth may be a list of ${METHODS.join(', ')}, or of what is not allowed with ! before each.`,
    );
  }
  const methods = named.filter(isMethod);
  return new Set(forbids > 0 ? METHODS.filter((method) => !methods.includes(method)) : methods);
}

function isMethod(word: string): word is AuthMethod {
  return (METHODS as readonly string[]).includes(word);
}
