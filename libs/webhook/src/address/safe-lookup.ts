import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.js';

/** The addresses of a name, in the order in which they are to be tried; none, or rejects, when there are none. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>;

/** A name has no address, or one that may not be called. The message does not say which. */
export class AddressError extends Error {
  override readonly name = 'AddressError';

  constructor(
    /** As the API says it. */
    readonly reason: 'dns' | 'refused_address',
    options?: ErrorOptions,
  ) {
    super(reason === 'dns' ? 'The name has no address.' : 'The address may not be called.', options);
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
  const judged = async (name: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(name).catch((cause: unknown) => {
      throw new AddressError('dns', { cause });
    });
    if (addresses.length === 0) throw new AddressError('dns');
    if (!addresses.every((address) => policy.permits(protocol, address)))
      throw new AddressError('refused_address');
    return addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }));
  };
  // undici asks for all addresses, so that node can go on to the next one (`autoSelectFamily`).
  return (name, _options, end) => {
    judged(name).then(
      (found) => {
        end(null, found);
      },
      (error: unknown) => {
        end(error as Error, []);
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
