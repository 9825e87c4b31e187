import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { addressSubject, clientAddress, createRateLimiter, TrustedProxies } from '../src/index.js';
import { MOST_SUBJECTS } from '../src/local/local-limiter.js';
import { admittedOf, newKey } from './requests.js';

describe('the subject of an address', () => {
  it.each([
    ['203.0.113.7', 'address:203.0.113.7'],
    ['::ffff:203.0.113.7', 'address:203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', 'address:2001:db8:1:2::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    [undefined, 'address:unknown'],
    ['nonsense', 'address:unknown'],
  ])('%s is %s', (address, id) => {
    expect(addressSubject(address).id).toBe(id);
  });

  it('has 300 requests a minute and 10,000 a day unless given, and is never banned', () => {
    expect(addressSubject('203.0.113.7')).toMatchObject({
      limits: { perMinute: 300, perDay: 10_000 },
      isAnonymous: true,
    });
    const limits = { perMinute: 1, perDay: 2 };
    expect(addressSubject('203.0.113.7', limits).limits).toBe(limits);
  });
});

describe('the address of a client', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '2001:db8:1::/48', '127.0.0.1', 'fe80::/10']);

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
    ['unknown, when the connection is gone', undefined, '198.51.100.1', undefined],
    ['the peer, when no proxy is trusted', '10.0.0.1', '198.51.100.1', '10.0.0.1', TrustedProxies.NONE],
  ])('is %s', (_, remoteAddress, forwarded, client, trusted = proxies) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { socket: { remoteAddress }, headers } as IncomingMessage;
    expect(clientAddress(request, trusted)).toBe(client);
  });

  it.each(['10.0.0.0/33', '10.0.0.0/8/8', '::/129', '10.0.0.0/a', 'proxy.example', '127.1', '10.0.0.0/', ''])(
    'cannot be told by the proxy "%s"',
    (network) => {
      expect(() => new TrustedProxies([network])).toThrow(
        new RangeError(`"${network}" is neither an address nor a network in CIDR notation`),
      );
    },
  );
});

describe('a limiter in the process', () => {
  it('keeps keys and shares while addresses come and go, and the addresses used last', async () => {
    const limiter = await createRateLimiter();
    const key = newKey({ perMinute: 1, perDay: 1 });
    const share = { id: 'visitor:1', limits: { perMinute: 1, perDay: 1 }, partOf: key.id };
    const limits = { perMinute: 1, perDay: 1 };
    const addressOf = (n: number) => addressSubject(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, limits);
    expect((await limiter.consume([share, key])).admitted).toBe(true);
    for (let n = 0; n < MOST_SUBJECTS * 1.5; n++)
      expect((await limiter.consume(addressOf(n))).admitted).toBe(true);
    expect(await admittedOf(limiter, key, 1)).toBe(0);
    expect(await limiter.consume([share, newKey()])).toMatchObject({ admitted: false, subject: share });
    expect(await admittedOf(limiter, addressOf(MOST_SUBJECTS), 1)).toBe(0);
    expect(await admittedOf(limiter, addressOf(0), 1)).toBe(1);
    await limiter.close();
  });
});
