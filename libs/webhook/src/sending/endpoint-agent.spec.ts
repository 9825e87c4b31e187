import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from '@petstore/test-servers';
import { resolveByDns } from '../address/safe-lookup.js';
import { AddressPolicy } from '../address/address-policy.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import { type SenderOptions, WebhookSender } from './webhook-sender.js';

const REFUSED = { isDelivered: false, error: 'refused_address' };

/** Inside of the network of the service. */
let inside: Receiver;
let insideSecure: Receiver;
beforeAll(async () => {
  inside = await Receiver.http();
  insideSecure = await Receiver.https();
});
afterAll(async () => {
  await inside.close();
  await insideSecure.close();
});
beforeEach(() => {
  inside.connections = 0;
  insideSecure.connections = 0;
});

async function send(url: string, options: Partial<SenderOptions> = {}): Promise<AttemptOutcome> {
  const sender = new WebhookSender({
    policy: new AddressPolicy(),
    // No test meets them unless it names them.
    connectTimeoutMs: 60_000,
    totalTimeoutMs: 60_000,
    ...options,
  });
  try {
    return await sender.send({ url, headers: {}, body: '{}' });
  } finally {
    await sender.destroy();
  }
}

/** A response of a name server: 127.0.0.2 for a query of IPv4, nothing for one of IPv6 (RFC 1035, section 4). */
function addressFor(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isIPv4 = query.readUInt16BE(end - 4) === 1;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isIPv4 ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  return isIPv4 ? Buffer.concat([head, Buffer.from('c00c00010001000000000004' + '7f000002', 'hex')]) : head;
}

/** Every name resolves to these lists in turn, the last one for good; where there is none it is unknown. */
function resolving(...lists: (readonly string[])[]) {
  let time = 0;
  return (): Promise<readonly string[]> => {
    const list = lists[Math.min(time++, lists.length - 1)];
    return list === undefined ? Promise.reject(new Error('unknown')) : Promise.resolve(list);
  };
}

describe('an address inside is refused without a connection', () => {
  it.each(
    'localhost LOCALHOST. a.localhost 127.0.0.1 2130706433 0177.0.0.1 [::1] [::ffff:127.0.0.1] [64:ff9b::7f00:1] 169.254.169.254 0.0.0.0 [fd00::1]'.split(
      ' ',
    ),
  )('as %s', async (host) => {
    expect(await send(`https://${host}:${insideSecure.port}/`)).toEqual(REFUSED);
    expect(insideSecure.connections).toBe(0);
  });

  it.each([
    ['only private', ['127.0.0.1']],
    ['private beside public', ['93.184.216.34', '127.0.0.1']],
    ['public beside private', ['127.0.0.1', '93.184.216.34']],
    ['private of the other family', ['93.184.216.34', '::1']],
    ['IPv4-mapped', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['no address at all', ['localhost']],
  ])('under a name with %s', async (_what, addresses) => {
    const resolve = resolving(addresses);
    expect(await send(`https://evil.example:${insideSecure.port}/`, { resolve })).toEqual(REFUSED);
    expect(insideSecure.connections).toBe(0);
  });

  it('under a name that turns private after it was checked: it is looked up once for each connection', async () => {
    const resolve = resolving(['127.0.0.2'], ['127.0.0.1']);
    const policy = new AddressPolicy({ allowedNetworks: ['127.0.0.2'], http: true });
    // What was judged is dialled, where nobody listens; then the second answer is judged.
    expect(await send(`http://evil.example:${inside.port}/`, { resolve, policy })).toEqual({
      isDelivered: false,
      error: 'connection',
    });
    expect(await send(`http://evil.example:${inside.port}/`, { resolve, policy })).toEqual(REFUSED);
    expect(inside.connections).toBe(0);
  });
});

describe('a name', () => {
  it.each([
    ['is unknown', resolving()],
    ['has no address', resolving([])],
  ])('that %s has failed', async (_what, resolve) => {
    const failed = { isDelivered: false, error: 'dns' };
    expect(await send('https://unknown.example/', { resolve })).toEqual(failed);
  });

  it('whose servers never respond is given up in time', async () => {
    const silent = (): Promise<never> => new Promise(() => undefined);
    expect(await send('https://silent.example/', { resolve: silent, connectTimeoutMs: 100 })).toEqual({
      isDelivered: false,
      error: 'timeout',
    });
  });

  it('that takes 1.2 seconds to resolve is resolved, also when its server was fast before', async () => {
    const asked: string[] = [];
    const closing = new AbortController();
    const server = createSocket('udp4', (query, { port, address }) => {
      const name = query.toString('latin1', 13, 13 + (query[12] ?? 0));
      asked.push(name);
      void sleep(name === 'slow' ? 1_200 : 0, undefined, { signal: closing.signal }).then(
        () => {
          server.send(addressFor(query), port, address);
        },
        () => undefined,
      );
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const resolve = resolveByDns([`127.0.0.1:${server.address().port}`]);
      for (let n = 0; n < 20; n++) expect(await resolve(`fast${n}.example`)).toEqual(['127.0.0.2']);
      expect(await resolve('slow.example')).toEqual(['127.0.0.2']);
      // IPv4 and IPv6, each once.
      expect(asked.filter((name) => name === 'slow')).toHaveLength(2);
    } finally {
      closing.abort();
      server.close();
    }
  });
});

describe('http', () => {
  const policy = new AddressPolicy({ allowedNetworks: ['127.0.0.0/8'], http: true });

  it('is refused unless it is on', async () => {
    const off = new AddressPolicy({ allowedNetworks: ['127.0.0.0/8'] });
    expect(await send(inside.url(), { policy: off })).toEqual(REFUSED);
    expect(inside.connections).toBe(0);
    expect(await send(inside.url(), { policy })).toMatchObject({ isDelivered: true });
    expect(await send(inside.url('localhost'), { policy })).toMatchObject({ isDelivered: true });
  });

  it('goes to allowed networks only, also by name', async () => {
    expect(await send('http://93.184.216.34/', { policy })).toEqual(REFUSED);
    const resolve = resolving(['93.184.216.34']);
    expect(await send('http://public.example/', { policy, resolve })).toEqual(REFUSED);
  });
});
