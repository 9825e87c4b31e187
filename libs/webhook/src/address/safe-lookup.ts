import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.js';

/** The addresses of a name, in the order in which they are to be tried; none, or rejects, when there are none. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>;

/** A name could not be resolved. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';
}

/** A name or an address leads where nothing may be sent. The message does not say where. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor() {
    super('The endpoint has an address that may not be called.');
  }
}

/** One attempt waits five seconds for its connection: two tries fit. */
const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/** The names of this machine (RFC 6761, section 6.3). */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 8;

/**
 * The look-up of a socket that is being connected. `node:net` dials what it returns and looks nothing up again, so
 * that a name cannot lead elsewhere between check and use. One address that may not be called refuses the name, also
 * beside others that may: which of them is dialled would be a matter of chance.
 */
export function safeLookup(
  policy: AddressPolicy,
  protocol: string,
  resolve: ResolveAddresses,
): LookupFunction {
  const judged = async (name: string): Promise<{ address: string; family: number }[]> => {
    const addresses = await resolve(name).catch((cause: unknown) => {
      throw new ResolutionError('The name could not be resolved.', { cause });
    });
    if (addresses.length === 0) throw new ResolutionError('The name has no address.');
    if (!addresses.every((address) => policy.permits(protocol, address))) throw new RefusedAddressError();
    return addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }));
  };
  return (name, { all }, end) => {
    judged(name).then(
      (found) => {
        if (all === true) end(null, found);
        else end(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: unknown) => {
        end(error as Error, '');
      },
    );
  };
}

/**
 * Queries the system's name servers, IPv4 and IPv6 at the same time. Unlike `getaddrinfo` it takes no thread: names
 * whose servers never respond would otherwise occupy all four of the process. Ignores `/etc/hosts` and search domains.
 *
 * @param servers to ask instead, as `Resolver.setServers` takes them
 */
export function resolveByDns(servers?: readonly string[]): ResolveAddresses {
  return async (name) => {
    if (LOCALHOST.test(name)) return ['127.0.0.1'];
    // A new one each time: c-ares waits less for a server that has been fast, and then gives up the name of a slow one.
    const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}
