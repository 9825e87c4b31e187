import ipaddr from 'ipaddr.js';

/** The proxies whose `X-Forwarded-For` is believed. */
export class TrustedProxies {
  /** Nobody is believed. */
  static readonly NONE = new TrustedProxies([]);

  private readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /**
   * @param networks addresses and networks in CIDR notation, IPv4 and IPv6: `10.0.0.0/8`, `::1`.
   * @throws RangeError naming the first that is neither.
   */
  constructor(networks: readonly string[]) {
    this.networks = networks.map((network) => {
      try {
        if (network.includes('/')) return ipaddr.parseCIDR(network);
        const address = ipaddr.process(network);
        return [address, address.kind() === 'ipv4' ? 32 : 128];
      } catch {
        throw new RangeError(`"${network}" is neither an address nor a network in CIDR notation`);
      }
    });
  }

  /** Whether the address, in its textual form, belongs to a trusted proxy. */
  include(address: string): boolean {
    if (this.networks.length === 0 || !ipaddr.isValid(address)) return false;
    const candidate = ipaddr.process(address);
    return this.networks.some(
      ([network, bits]) => network.kind() === candidate.kind() && candidate.match(network, bits),
    );
  }
}
