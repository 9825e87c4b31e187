import { afterEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import {
  addressSubject,
  clientAddress,
  DEFAULT_ADDRESS_LIMITS,
  Plan,
  type RateLimitSubject,
  TrustedProxies,
} from '../src/index.js';
import { sharedSubjectId, widerNetworks } from '../src/local/address-table.js';
import { LocalCounters } from '../src/local/local-counters.js';

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
      bannable: false,
    });
    const limits = { perMinute: 1, perDay: 2 };
    expect(addressSubject('203.0.113.7', limits).limits).toBe(limits);
  });

  it.each([
    ['address:192.0.2.7', ['address:192.0.2.0/24', 'address:192.0.0.0/16']],
    ['address:192.0.2.7:docs', ['address:192.0.2.0/24:docs', 'address:192.0.0.0/16:docs']],
    ['address:2001:db8:1:2::/64', ['address:2001:db8:1::/48', 'address:2001:db8::/32']],
    ['address:2001:db8:1:2::/64:docs', ['address:2001:db8:1::/48:docs', 'address:2001:db8::/32:docs']],
    ['address:192.0.2.0/24:docs', ['address:192.0.0.0/16:docs']],
    ['address:2001:db8:1::/48', ['address:2001:db8::/32']],
    ['address:192.0.0.0/16', []],
    ['address:unknown', []],
    ['key:key_1', []],
  ])('%s is in the networks %j', (id, networks) => {
    expect(widerNetworks(id).map((network) => network.id)).toEqual(networks);
  });

  it('for which there is no room is shared with others of the same purpose', () => {
    expect(sharedSubjectId('address:192.0.2.7', 64)).toMatch(/^address:others:\d+$/);
    expect(sharedSubjectId('address:192.0.2.7:docs', 64)).toMatch(/^address:others:\d+:docs$/);
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

describe('the memory of a limiter in the process', () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  let now = 1_700_000_000_000;
  let local: LocalCounters;
  afterEach(() => {
    local.close();
  });

  const start = (options: { maxAddresses?: number; keyBytes?: number; addressBytes?: number } = {}): void => {
    local = new LocalCounters({ clock: () => now, ...options });
  };
  /** One /64 of a single /48. */
  const inSite = (i: number) => addressSubject(`2001:db8:1:${i.toString(16)}::1`);
  /** An address of a provider of its own. */
  const anywhere = (i: number) =>
    addressSubject(`2a${(i >> 8).toString(16).padStart(2, '0')}:${i & 255}:1:1::1`);
  const key = (i: number): RateLimitSubject => ({
    id: `key:${i}`,
    limits: Plan.limitsOf('free'),
    bannable: true,
  });
  const admittedOf = (subject: RateLimitSubject, requests: number): number => {
    let admitted = 0;
    for (let i = 0; i < requests; i++) if (local.charge(subject).admitted) admitted++;
    return admitted;
  };

  it('meters a flood from one site by address at first, then by the site, and never without limit', () => {
    start();
    for (let i = 0; i < 256; i++) expect(admittedOf(inSite(i), 1)).toBe(1);
    // All the others of the /48 have one limit between them.
    let admitted = 0;
    for (let i = 256; i < 1_000; i++) admitted += admittedOf(inSite(i), 1);
    expect(admitted).toBe(DEFAULT_ADDRESS_LIMITS.perMinute);
    expect(local.addresses.size).toBe(257);
    // Those that were there before keep theirs, and so does everybody elsewhere.
    expect(admittedOf(inSite(0), 300)).toBe(299);
    expect(admittedOf(addressSubject('2001:db8:2::1'), 301)).toBe(300);
    expect(admittedOf(addressSubject('192.0.2.1'), 301)).toBe(300);
  });

  it('is bounded in a flood from everywhere, which is never without limit', () => {
    start({ maxAddresses: 100 });
    let admitted = 0;
    for (let i = 0; i < 5_000; i++) admitted += admittedOf(anywhere(i), 1);
    expect(local.addresses.size).toBeLessThanOrEqual(100 * 1.25 + 64);
    expect(admitted).toBeLessThan(100 + (25 + 64) * 300);
    expect(admittedOf(anywhere(0), 300)).toBe(299);
  });

  it('has room for new addresses when those of little use have been silent for an hour', () => {
    start({ maxAddresses: 100 });
    for (let i = 0; i < 100; i++) admittedOf(anywhere(i), i < 50 ? 10 : 11);
    now += HOUR - 1;
    local.sweep();
    expect(local.addresses.size).toBe(100);
    now += 1;
    local.sweep();
    expect(local.addresses.size).toBe(50);
    now += DAY;
    local.sweep();
    expect(local.addresses).toMatchObject({ size: 0, bytes: 0 });
  });

  it('gives an address that is forgotten every hour at most 2.4 % beyond the limit of a day', () => {
    start();
    const address = addressSubject('192.0.2.1');
    let admitted = 0;
    for (let hour = 0; hour < 23; hour++) {
      admitted += admittedOf(address, 10);
      now += HOUR;
    }
    for (let minute = 0; minute < 40; minute++) {
      admitted += admittedOf(address, 300);
      now += 60_000;
    }
    expect(admitted).toBeLessThanOrEqual(DEFAULT_ADDRESS_LIMITS.perDay * 1.024);
    expect(admitted).toBeGreaterThanOrEqual(DEFAULT_ADDRESS_LIMITS.perDay);
  });

  it('keeps every key while addresses come and go', () => {
    start({ maxAddresses: 10, addressBytes: 20_000, keyBytes: 2_000 });
    local.charge(key(1));
    for (let i = 0; i < 1_000; i++) local.charge(anywhere(i));
    expect(local.charge(key(1)).minute.remaining).toBe(58);
  });

  it('is given back as the windows of keys empty', () => {
    start();
    const keys = Array.from({ length: 100 }, (_, i) => key(i));
    for (let step = 0; step < 30; step++) {
      for (const each of keys) local.charge(each);
      now += 400;
    }
    const full = local.keys.bytes;
    now += 2 * 60_000;
    local.sweep();
    expect(local.keys.bytes).toBeLessThan(full / 1.5);
    now += DAY;
    local.sweep();
    expect(local.keys).toMatchObject({ size: 0, bytes: 0 });
  });

  it('is bounded for keys, too, and those used last keep their counts', () => {
    const bytes = 200_000;
    start({ keyBytes: bytes });
    for (let i = 0; i < 1_000; i++) {
      for (let step = 0; step < 3; step++) {
        now += 1_000_000;
        local.charge(key(i));
      }
      expect(local.keys.bytes).toBeLessThanOrEqual(bytes);
    }
    expect(local.charge(key(999)).day.remaining).toBe(996);
    expect(local.charge(key(0)).day.remaining).toBe(999);
  });
});
