/** A network around an address, and how many subjects in it are metered by themselves. */
export interface WiderNetwork {
  readonly id: string;
  readonly most: number;
}

const PREFIX = 'address:';
/** An address may have limits of its own for a purpose, which is named behind it: `address:192.0.2.1:docs`. */
const PURPOSE = /:[a-z]+$/;
/** An IPv4 address or the /24 around one, and an IPv6 /64 or the /48 around one. */
const IPV4 = /^(\d+)\.(\d+)\.(\d+)\.\d+(\/24)?$/;
const IPV6 = /^([\da-f]+):([\da-f]+):([\da-f]+):(?:[\da-f]+::\/64|:(\/48))$/;

/** A site or a provider's piece has a /48; who has an IPv4 /24 has no more than 256 addresses. */
const MOST_IN_SITE = 256;
/** A provider has an IPv6 /32, or an IPv4 /16. */
const MOST_IN_PROVIDER = 2_048;

/**
 * The networks that the subject of an address is in, from the nearer to the wider: the /48 and the /32 of an IPv6
 * /64, the /24 and the /16 of an IPv4 address.
 */
export function widerNetworks(id: string): readonly WiderNetwork[] {
  if (!id.startsWith(PREFIX)) return [];
  const purpose = purposeOf(id);
  const network = id.slice(PREFIX.length, id.length - purpose.length);
  const v4 = IPV4.exec(network);
  const [, first, second, third, isSite] = v4 ?? IPV6.exec(network) ?? [];
  if (first === undefined) return [];
  const [site, provider] = v4
    ? [`${first}.${second}.${third}.0/24`, `${first}.${second}.0.0/16`]
    : [`${first}:${second}:${third}::/48`, `${first}:${second}::/32`];
  const wider = [
    { id: PREFIX + site + purpose, most: MOST_IN_SITE },
    { id: PREFIX + provider + purpose, most: MOST_IN_PROVIDER },
  ];
  return isSite ? wider.slice(1) : wider;
}

/** The one of `count` subjects that an address shares with all others for which there is no room. */
export function sharedSubjectId(id: string, count: number): string {
  return `${PREFIX}others:${hashOf(id) % count}${purposeOf(id)}`;
}

/** What the limits of an address are for, as it stands behind it; nothing for most. */
function purposeOf(id: string): string {
  return PURPOSE.exec(id)?.[0] ?? '';
}

/** The same in every process, so that they share these counters, too. */
function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
  return hash;
}
