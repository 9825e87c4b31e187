import { BlockList, isIP } from 'node:net';

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
