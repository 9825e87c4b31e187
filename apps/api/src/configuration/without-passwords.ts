/** A URL whose parts are beyond doubt: at most one @, and nothing of an authority after the first slash. */
const CLEAR =
  /^(?<scheme>[a-z][a-z0-9+.-]*:\/\/)(?:(?<user>[^:/?#@\s]*)(?<password>:[^/?#@\s]*)?@)?(?<host>\[[0-9a-f:.]+\]|[^:/?#@\s]*)(?<port>:[^/?#@\s]*)?(?<rest>[/?#][^@]*)?$/i;

/** Parameters that hold secrets: of libpq, of pg. */
const SECRET_PARAMETER = /([?&#](?:ssl)?password=)[^&#]*/gi;

const HIDDEN = '***';

/**
 * One URL, or several separated by commas, for a message: nothing is shown that could be a part of a password.
 *
 * The text is one that was refused. Its author may have left `@`, `/`, `#` or `?` in a password as they are, and every
 * parser then takes it apart at another place: such a text is hidden but for its scheme.
 */
export function withoutPasswords(text: string): string {
  const parts = text.split(',');
  const several = parts.every((part) => /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(part));
  return several ? parts.map((part) => hidden(part.trim())).join(',') : hidden(text);
}

function hidden(text: string): string {
  const groups = CLEAR.exec(text)?.groups;
  if (groups === undefined) return `${/^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? ''}${HIDDEN}`;
  const { scheme = '', user, password, host = '', port = '', rest = '' } = groups;
  const who = user === undefined ? '' : `${user}${password === undefined ? '' : `:${HIDDEN}`}@`;
  // Without a host in sight, what looks like a port may be the password of what looks like a host.
  const where = port === '' || /^:\d{1,5}$/.test(port) ? port : `:${HIDDEN}`;
  return `${scheme}${who}${host}${where}${rest.replace(SECRET_PARAMETER, `$1${HIDDEN}`)}`;
}
