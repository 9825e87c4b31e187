import { Resolver } from 'node:dns/promises';

/** The addresses of a name, in the order in which they are to be tried; none, or rejects, when there are none. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>;

/** One attempt waits five seconds for its connection: two tries fit. */
const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/** The names of this machine (RFC 6761, section 6.3). */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/**
 * Asks the name servers of the system, IPv4 and IPv6 at the same time. Unlike `getaddrinfo` it takes no thread: names
 * whose servers never respond would otherwise take all four that the process has for files and names. The file of
 * hosts and search domains are not looked at.
 */
export function resolveByDns(): ResolveAddresses {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  return async (name) => {
    if (LOCALHOST.test(name)) return ['127.0.0.1'];
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}
