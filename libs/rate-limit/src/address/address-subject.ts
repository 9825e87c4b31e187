import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { PlanLimits } from '../policy/plan.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { clientAddress } from './client-address.js';
import { TrustedProxies } from './trusted-proxies.js';

/** Who is charged for a request; `undefined` for a request that is not limited. */
export type SubjectOf<Request extends IncomingMessage = IncomingMessage> = (
  request: Request,
) => RateLimitSubject | undefined;

/** How the addresses of clients are limited. */
export interface AddressLimitOptions {
  /** What one IPv4 address, or one /64 of IPv6, may send: {@link DEFAULT_ADDRESS_LIMITS} unless given. */
  readonly limits?: PlanLimits | undefined;
  /** Proxies whose `X-Forwarded-For` counts; none unless given. */
  readonly trustedProxies?: TrustedProxies | undefined;
}

/** What a client address gets unless configured otherwise: for requests without an accepted key. */
export const DEFAULT_ADDRESS_LIMITS: PlanLimits = { perMinute: 300, perDay: 10_000 };

const IPV6_NETWORK_GROUPS = 4;

/**
 * The subject that requests without an accepted key are charged to. An IPv6 client has at least
 * a /64 of them, so that the whole /64 is one client; an IPv4-mapped address is the IPv4 address.
 *
 * @param address as `clientAddress` gives it; clients without one share a subject.
 */
export function addressSubject(
  address: string | undefined,
  limits: PlanLimits = DEFAULT_ADDRESS_LIMITS,
): RateLimitSubject {
  return { id: `address:${clientNetwork(address)}`, limits, bannable: false, numerous: true };
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address.
 *
 * @param address in its textual form; `unknown` without one
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  // Most are, and it is the network as it stands.
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Charges each request to the address that it came from. */
export function byAddress({
  limits,
  trustedProxies = TrustedProxies.NONE,
}: AddressLimitOptions = {}): SubjectOf {
  return (request) => addressSubject(clientAddress(request, trustedProxies), limits);
}
