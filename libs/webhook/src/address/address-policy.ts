import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Global unicast (RFC 4291, section 2.4; the only part of IPv6 that is given out). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** What an address is to a sender of webhooks. */
export type AddressJudgement = 'public' | 'allowed' | 'refused';

/**
 * Which addresses may be called: those that anybody can reach, and those of networks that the operator allows. All
 * others are refused, above all those of the service's own network: loopback, private, link-local with the metadata of
 * clouds, shared (CGNAT), unique local, multicast, reserved; also addresses that only wrap another one (IPv4-mapped
 * and -compatible, NAT64, 6to4, Teredo), since whatever routes them may reach inside.
 */
export class AddressPolicy {
  private readonly allowed: readonly Network[];

  /**
   * @param allowedNetworks addresses, or networks in CIDR notation
   * @throws Error for one that is neither
   */
  constructor(allowedNetworks: readonly string[] = []) {
    this.allowed = allowedNetworks.map(toNetwork);
  }

  /** @param address in the textual form that the resolver of the system returns; anything else is refused */
  judge(address: string): AddressJudgement {
    // A zone (RFC 4007) names an interface of this machine.
    if (isIP(address) === 0 || address.includes('%')) return 'refused';
    const parsed = ipaddr.parse(address);
    if (this.allowed.some((network) => isWithin(parsed, network))) return 'allowed';
    return isPublic(parsed) ? 'public' : 'refused';
  }
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
