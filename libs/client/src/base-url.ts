/**
 * Where the API is, without a slash at its end.
 *
 * @throws TypeError for what is no address of an API of this version; the message has no password
 */
export function readBaseUrl(baseUrl: string): string {
  const wanted = 'it must be the address of the API with its version, such as http://127.0.0.1:3000/v1';
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is not an absolute URL: ${wanted}.`);
  const { protocol, origin, pathname, search, hash, username, password } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`baseUrl has the protocol ${protocol} and not http: or https:.`);
  if (!path.endsWith('/v1'))
    throw new TypeError(`baseUrl is ${origin}${pathname}: /v1 is missing at its end; ${wanted}.`);
  if ([search, hash, username, password].some((part) => part !== ''))
    throw new TypeError(`baseUrl has a user, a query or a fragment: ${wanted}.`);
  return origin + path;
}
