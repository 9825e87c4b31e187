import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** What an operator has set. */
export interface AddressPolicySettings {
  /** Addresses or networks in CIDR notation that may be called although they are not public; none when left out. */
  readonly allowedNetworks?: readonly string[] | undefined;
  /** Whether `http` may be used, to the allowed networks only. */
  readonly http?: boolean | undefined;
}

/** Global unicast (RFC 4291, section 2.4; the only part of IPv6 that is given out). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Where webhooks may go: schemes and addresses. Public addresses may be called, and those of networks that the operator
 * allows. All others are refused, above all those of the service's own network: loopback, private, link-local with the
 * metadata of clouds, shared (CGNAT), unique local, multicast, reserved; also addresses that only wrap another one
 * (IPv4-mapped and -compatible, NAT64, 6to4, Teredo), since whatever routes them may reach inside.
 */
export class AddressPolicy {
  /** Whether `http` may be used at all. */
  readonly http: boolean;
  private readonly allowed: readonly Network[];

  /** @throws Error for an allowed network that is none */
  constructor({ allowedNetworks = [], http = false }: AddressPolicySettings = {}) {
    this.http = http;
    this.allowed = allowedNetworks.map(toNetwork);
  }

  /** @param protocol with its colon, as in `URL.protocol` */
  permitsProtocol(protocol: string): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.http);
  }

  /**
   * Whether a URL may be called as far as it says itself where it leads: a name is judged by its addresses, later.
   *
   * @param isProxied where a proxy finds a name is not known here, so `http` is for literal addresses only
   */
  permitsUrl(url: URL, isProxied = false): boolean {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.permits(url.protocol, host);
    return this.permitsProtocol(url.protocol) && (url.protocol === 'https:' || !isProxied);
  }

  /**
   * Whether an address may be called under a protocol: `https` if public or allowed, `http` only if allowed.
   *
   * @param address in the textual form that the resolver of the system returns; anything else is refused
   */
  permits(protocol: string, address: string): boolean {
    // A zone (RFC 4007) names an interface of this machine.
    if (!this.permitsProtocol(protocol) || isIP(address) === 0 || address.includes('%')) return false;
    const parsed = ipaddr.parse(address);
    const isAllowed = this.allowed.some((network) => isWithin(parsed, network));
    return isAllowed || (protocol === 'https:' && isPublic(parsed));
  }
}

/** Name or address without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false;
  return address.range() === 'unicast';
}

/** Addresses of the other family are never within: an IPv4-mapped address is not the IPv4 address. */
function isWithin(address: Address, [base, prefix]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, prefix);
}

function toNetwork(text: string): Network {
  const [address = '', prefix] = text.split('/');
  if (isIP(address) === 0 || address.includes('%')) throw new Error(`${text} is no address and no network.`);
  if (prefix !== undefined) return ipaddr.parseCIDR(text);
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}
