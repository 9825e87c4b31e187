import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TrustedProxies } from './trusted-proxies.js';

// `1.2.3.4:56` and `[2001:db8::1]:56`, as some proxies write.
const WITH_PORT = /^(?:([\d.]+)|\[([\da-fA-F:.]+)\])(?::\d{1,5})?$/;

/** Longest that an address with its port is written, in characters, with room for spaces around it. */
const LONGEST_HOP = 128;

/**
 * The address that a request came from: the peer's, or, as far as the peer is a trusted proxy, the one that
 * it names in `X-Forwarded-For`. That header is read from its end, where the nearest proxy wrote; what stands
 * before an address that is not trusted may be invented by the client, and is never looked at.
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
