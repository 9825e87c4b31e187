import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.js';
import { TrustedProxies } from './trusted-proxies.js';

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const proxies = new TrustedProxies(['10.0.0.0/8', '2001:db8:1::/48', '127.0.0.1', 'fe80::/10']);

describe('clientAddress', () => {
  it.each([
    ['the peer, when nothing was forwarded', '203.0.113.7', undefined, '203.0.113.7'],
    ['the peer, when it is no proxy, whatever it claims', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['the client that a proxy names', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last hop that no proxy vouches for', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['the farthest proxy, when there are only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the proxy that wrote garbage', '10.0.0.1', '198.51.100.1, garbage, 10.0.0.2', '10.0.0.2'],
    ['the proxy that wrote nothing', '10.0.0.1', '', '10.0.0.1'],
    ['no shortened or hexadecimal address', '10.0.0.1', '0x7f000001', '10.0.0.1'],
    ['no address that is a number', '10.0.0.1', '2130706433', '10.0.0.1'],
    ['a client without its port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 client', '2001:db8:1::1', '2001:db8:9::5', '2001:db8:9::5'],
    ['an IPv6 client without brackets and port', '10.0.0.1', '[2001:db8:9::5]:4711', '2001:db8:9::5'],
    ['a client behind an IPv4-mapped proxy', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a client behind a link-local proxy', 'fe80::1%eth0', '198.51.100.1', '198.51.100.1'],
    ['a client behind a single trusted address', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ])('is %s', (_, peer, forwarded, client) => {
    expect(clientAddress(request(peer, forwarded), proxies)).toBe(client);
  });

  it('is the peer when no proxy is trusted', () => {
    expect(clientAddress(request('10.0.0.1', '198.51.100.1'), TrustedProxies.NONE)).toBe('10.0.0.1');
  });

  it('is unknown when the connection is gone', () => {
    expect(clientAddress(request(undefined, '198.51.100.1'), proxies)).toBeUndefined();
  });
});

describe('TrustedProxies', () => {
  it.each(['10.0.0.0/33', '10.0.0.0/8/8', '::/129', '10.0.0.0/a', 'proxy.example', '127.1', '10.0.0.0/', ''])(
    'refuses "%s"',
    (network) => {
      expect(() => new TrustedProxies([network])).toThrow(
        new RangeError(`"${network}" is neither an address nor a network in CIDR notation`),
      );
    },
  );
});
