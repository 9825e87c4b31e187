import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RequestFilteringHttpAgent } from 'request-filtering-agent';
import { AddressPolicy } from './address-policy.js';

const policy = new AddressPolicy({ http: true });
const permits = (address: string, by = policy): boolean => by.permits('https:', address);

/** Whether an independent filter lets a connection to the address begin; nothing is dialled. */
function passesIndependentFilter(address: string): boolean {
  const agent = new RequestFilteringHttpAgent();
  let refused = false;
  // Destroyed before the next tick, in which the connection would begin.
  const socket = agent.createConnection({ host: address, port: 0 }, (error) => {
    refused ||= error instanceof Error && error.message.includes('is not allowed');
  });
  socket.on('error', () => undefined).destroy();
  agent.destroy();
  return !refused;
}

const embedded = fc.constantFrom(
  '2001:',
  '2001:db8:',
  '2002:',
  '64:ff9b:',
  'fe80:',
  'fc00:',
  '::ffff:',
  '::',
);
const anyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc
    .tuple(embedded, fc.ipV4())
    .map(([prefix, four]) => (prefix.startsWith('::') ? prefix + four : `${prefix}:${four}`)),
);

/** What an address is that is not public, and such addresses. */
const INSIDE: readonly (readonly [string, string])[] = [
  ['unspecified', '0.0.0.0 ::'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1'],
  ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1'],
  ['link-local, metadata of clouds', '169.254.169.254'],
  ['CGNAT, metadata of a cloud', '100.64.0.1 100.100.100.200'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1 ff02::1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv4-mapped', '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:1.1.1.1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:53aa:64c:0:0:0:1'],
  ['discard', '100::1'],
  ['link-local', 'fe80::1'],
  ['with a zone', 'fe80::1%eth0 2606:4700:4700::1111%eth0'],
  ['site-local', 'fec0::1'],
  ['unique local, metadata of a cloud', 'fc00::1 fd00:ec2::254'],
  ['outside of what is given out', '4000::1'],
  ['segment routing', '5f00::1'],
];

describe('AddressPolicy', () => {
  it.each([
    ...['1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '192.167.1.1', '100.63.255.255'],
    ...['100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001:800::200e'],
  ])('permits %s, which is public, by https', (address) => {
    expect(permits(address)).toBe(true);
    expect(policy.permits('http:', address)).toBe(false);
  });

  it.each(INSIDE)('refuses %s: %s', (_what, addresses) => {
    for (const address of addresses.split(' ')) expect([address, permits(address)]).toEqual([address, false]);
  });

  it('refuses what is no address', () => {
    for (const text of [
      '',
      'localhost',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '1.1.1.1 ',
      '1.1.1.1/8',
    ])
      expect([text, permits(text)]).toEqual([text, false]);
  });

  it('permits networks and single addresses of the operator, by http too, and nothing beside them', () => {
    const own = new AddressPolicy({
      allowedNetworks: ['10.20.0.0/16', '127.0.0.1', 'fd00::/8', '::1', '127.0.0.2/32'],
      http: true,
    });
    for (const address of ['10.20.0.1', '10.20.255.255', '127.0.0.1', '127.0.0.2', 'fd12::1', '::1'])
      expect([permits(address, own), own.permits('http:', address)]).toEqual([true, true]);
    const beside = ['10.21.0.1', '127.0.0.3', 'fc00::1', '::2', '::ffff:127.0.0.1', '::ffff:10.20.0.1'];
    for (const address of beside) expect(permits(address, own)).toBe(false);
    expect([permits('1.1.1.1', own), own.permits('http:', '1.1.1.1')]).toEqual([true, false]);
    const secure = new AddressPolicy({ allowedNetworks: ['10.20.0.0/16'] });
    expect(secure.permits('http:', '10.20.0.1')).toBe(false);
  });

  it.each(['', 'pets', '10.0.0.0/33', '10.0.0.0/x', '10.0.0/8', 'fe80::1%eth0'])(
    'does not start with %j as a network',
    (text) => {
      expect(() => new AddressPolicy({ allowedNetworks: [text] })).toThrow();
    },
  );

  it('refuses whatever an independent filter refuses', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        if (permits(address)) expect(passesIndependentFilter(address)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
