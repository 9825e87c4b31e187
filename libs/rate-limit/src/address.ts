import { isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { checkLimits, type RateLimits, type RateLimitSubject, type RateLimitSubjects } from './subject.js';

/**
 * What a request consumes from; `undefined` for a request that is not limited.
 *
 * @param context the framework's, where there is one: Nest's execution context, for limits by route
 */
export type SubjectOf<Context = unknown> = (
  request: IncomingMessage,
  context?: Context,
) => RateLimitSubjects | undefined;

/** What a client address gets unless configured otherwise: for requests without an accepted key. */
export const DEFAULT_ADDRESS_LIMITS: RateLimits = { perMinute: 300, perDay: 10_000 };

/** Bits of an IPv6 address that a client has at least for itself. */
const IPV6_NETWORK_BITS = 64;

/**
 * The client's address, as Express says it: through the proxies of its setting `trust proxy`. Without Express it is the
 * address of the peer.
 *
 * @returns `undefined` when the connection is already gone.
 */
export function clientAddress(request: IncomingMessage): string | undefined {
  return (request as { ip?: string }).ip ?? request.socket.remoteAddress;
}

/**
 * The subject that requests without an accepted key consume from. An IPv6 client has at least
 * a /64 of them, so that the whole /64 is one client; an IPv4-mapped address is the IPv4 address.
 *
 * @param address clients without one share a subject.
 */
export function addressSubject(
  address: string | undefined,
  limits: RateLimits = DEFAULT_ADDRESS_LIMITS,
): RateLimitSubject {
  return { id: `address:${clientNetwork(address)}`, limits, isAnonymous: true };
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address.
 *
 * @param address in its textual form; `unknown` for what is none
 * @param bits of an IPv6 network: fewer where a client could use several
 */
export function clientNetwork(address: string | undefined, bits: number = IPV6_NETWORK_BITS): string {
  // Most are, and it is the network as it stands.
  if (address !== undefined && isIPv4(address)) return address;
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${new ipaddr.IPv6(parsed.parts).toString()}/${bits}`);
  return `${network.toString()}/${bits}`;
}

/**
 * Each request consumes from the address that it came from.
 *
 * @throws RangeError for limits that are no whole numbers from 1 to 999,999,999
 */
export function byAddress(limits: RateLimits = DEFAULT_ADDRESS_LIMITS): SubjectOf {
  checkLimits(limits);
  return (request) => addressSubject(clientAddress(request), limits);
}
