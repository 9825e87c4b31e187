import { BlockList, isIP, isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { checkLimits, type RateLimits, type RateLimitSubject, type RateLimitSubjects } from '../subject.js';

/** The proxies whose `X-Forwarded-For` counts. */
export class TrustedProxies {
  /** No proxy is trusted. */
  static readonly NONE = new TrustedProxies([]);

  /** `undefined` without any: most requests then cost nothing here. */
  private readonly networks: BlockList | undefined;

  /**
   * @param networks addresses and networks in CIDR notation, IPv4 and IPv6: `10.0.0.0/8`, `::1`.
   * @throws RangeError naming the first that is neither.
   */
  constructor(networks: readonly string[]) {
    if (networks.length === 0) return;
    this.networks = new BlockList();
    for (const network of networks) {
      try {
        add(this.networks, network);
      } catch {
        throw new RangeError(`"${network}" is neither an address nor a network in CIDR notation`);
      }
    }
  }

  /** Whether the address, in its textual form, belongs to a trusted proxy; an IPv4-mapped one is the IPv4 address. */
  include(address: string): boolean {
    if (this.networks === undefined) return false;
    // A link-local address names its interface, which is no part of the network: `fe80::1%eth0`.
    const [plain = ''] = address.split('%', 1);
    const version = isIP(plain);
    return version !== 0 && this.networks.check(plain, familyOf(version));
  }
}

/** @throws Error for what is no network */
function add(networks: BlockList, network: string): void {
  const [address = '', bits, ...rest] = network.split('/');
  const family = familyOf(isIP(address));
  if (bits === undefined) networks.addAddress(address, family);
  else if (/^\d{1,3}$/.test(bits) && rest.length === 0) networks.addSubnet(address, Number(bits), family);
  else throw new RangeError('no network');
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}

// `1.2.3.4:56` and `[2001:db8::1]:56`, as some proxies write.
const WITH_PORT = /^(?:([\d.]+)|\[([\da-fA-F:.]+)\])(?::\d{1,5})?$/;

/** Longest address with its port, in characters, with room for spaces around it. */
const LONGEST_HOP = 128;

/**
 * The client's address: that of the peer or, if the peer is a trusted proxy, the one that it names in
 * `X-Forwarded-For`. The field is read from its end, where the nearest proxy wrote; what stands before an untrusted
 * address may be invented by the client, and is ignored.
 *
 * @returns `undefined` when the connection is already gone.
 */
export function clientAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: TrustedProxies,
): string | undefined {
  const peer = request.socket.remoteAddress;
  const forwarded = request.headers['x-forwarded-for'];
  if (peer === undefined || forwarded === undefined || !proxies.include(peer)) return peer;
  // Node joins repeated headers of this name with commas, in their order.
  const hops = String(forwarded);
  let client = peer;
  // No more of it is looked at than proxies have written: the rest may be thousands of commas.
  for (let end = hops.length; end >= 0 && proxies.include(client);) {
    const begin = hops.lastIndexOf(',', end - 1) + 1;
    if (end - begin > LONGEST_HOP) break;
    const address = addressIn(hops.slice(begin, end).trim());
    if (address === undefined) break;
    client = address;
    end = begin - 1;
  }
  return client;
}

function addressIn(text: string): string | undefined {
  const [, v4, v6] = WITH_PORT.exec(text) ?? [];
  const address = v4 ?? v6 ?? text;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * What a request consumes from; `undefined` for a request that is not limited.
 *
 * @param context the framework's, where there is one: Nest's execution context, for limits by route
 */
export type SubjectOf<Context = unknown> = (
  request: IncomingMessage,
  context?: Context,
) => RateLimitSubjects | undefined;

/** How the addresses of clients are limited. */
export interface AddressLimitOptions {
  /** What one IPv4 address, or one /64 of IPv6, may send: {@link DEFAULT_ADDRESS_LIMITS} unless given. */
  readonly limits?: RateLimits | undefined;
  /** Proxies whose `X-Forwarded-For` counts; none unless given. */
  readonly trustedProxies?: TrustedProxies | undefined;
}

/** What a client address gets unless configured otherwise: for requests without an accepted key. */
export const DEFAULT_ADDRESS_LIMITS: RateLimits = { perMinute: 300, perDay: 10_000 };

const IPV6_NETWORK_GROUPS = 4;

/**
 * The subject that requests without an accepted key consume from. An IPv6 client has at least
 * a /64 of them, so that the whole /64 is one client; an IPv4-mapped address is the IPv4 address.
 *
 * @param address as `clientAddress` gives it; clients without one share a subject.
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

/**
 * Each request consumes from the address that it came from.
 *
 * @throws RangeError for limits that are no whole numbers from 1 to 999,999,999
 */
export function byAddress({
  limits = DEFAULT_ADDRESS_LIMITS,
  trustedProxies = TrustedProxies.NONE,
}: AddressLimitOptions = {}): SubjectOf {
  checkLimits(limits);
  return (request) => addressSubject(clientAddress(request, trustedProxies), limits);
}
