/** A listener could not be opened. The message names the variable, its value and what is allowed. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * What to throw for an error of a start: a {@link ListenError} if this listener could not be opened, else the error.
 *
 * @param prefix of the variables: `HOST` and `PORT`, or `OPS_HOST` and `OPS_PORT`
 */
export function toListenError(
  prefix: '' | 'OPS_',
  { host, port }: { readonly host: string; readonly port: number | undefined },
  cause: unknown,
): unknown {
  const { syscall = '', code = '', hostname } = cause as NodeJS.ErrnoException & { hostname?: string };
  const isName = syscall === 'getaddrinfo' && hostname === host;
  if (!isName && syscall !== 'listen' && syscall !== 'bind') return cause;
  const other = prefix === '' ? 'OPS_PORT' : 'PORT';
  const ofPort = PORT_PROBLEMS[code];
  const message =
    ofPort === undefined
      ? `${prefix}HOST is "${host}": ${isName ? 'no address of this name is found' : HOST_PROBLEM} (${code}); ` +
        'allowed: an IPv4 or IPv6 address of this machine, or a host name of one.'
      : `${prefix}PORT is ${port}: ${ofPort} at ${host} (${code}); ` +
        `allowed: a free port other than ${other}, or 0, which takes one.`;
  return new ListenError(message, { cause });
}

const HOST_PROBLEM = 'this machine cannot listen at this address';

const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use',
  EACCES: 'this user may not listen on it',
};
