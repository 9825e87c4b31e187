import type { RateLimitSubject } from '../policy.js';
import { SubjectTable } from './subject-table.js';
import type { SubjectRecord } from './subject-record.js';

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
const MAX_IN_SITE = 256;
/** A provider has an IPv6 /32, or an IPv4 /16. */
const MAX_IN_PROVIDER = 2_048;

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
    { id: PREFIX + site + purpose, most: MAX_IN_SITE },
    { id: PREFIX + provider + purpose, most: MAX_IN_PROVIDER },
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

/** Beyond the addresses there is room for this share more of networks, which stand for many. */
const NETWORKS_SHARE = 1 / 4;
/** What is left when all that is full, too: so many subjects for all the others together. */
const OTHERS = 64;

/**
 * The records of addresses, of which a client can have any number. Each is counted separately while there are few in its
 * network and few in all; a new one beyond that shares the limit of the network around it, and at last that of others. None
 * with a limit of its own makes room for another, so that a flood gains nothing, and what a process keeps here, and has
 * Redis keep, is bounded.
 */
export class AddressTable extends SubjectTable {
  /** How many records there are in a network. */
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly maxAddresses: number,
    maxBytes: number,
    keptMs: (record: SubjectRecord) => number,
  ) {
    super(undefined, maxBytes, keptMs);
  }

  override use(subject: RateLimitSubject, now: number): SubjectRecord {
    if (this.find(subject.id) === undefined) this.count(subject.id, 1);
    return super.use(subject, now);
  }

  /** The subject itself, its network, or one that is shared with others. */
  override effectiveSubject(subject: RateLimitSubject): RateLimitSubject {
    const { id } = subject;
    if (this.isSeparate(id, this.maxAddresses)) return subject;
    const mostNetworks = this.maxAddresses * (1 + NETWORKS_SHARE);
    const network = widerNetworks(id).find((wider) => this.isSeparate(wider.id, mostNetworks));
    return { ...subject, id: network?.id ?? sharedSubjectId(id, OTHERS) };
  }

  override clear(): void {
    super.clear();
    this.counts.clear();
  }

  protected override forget(id: string, record: SubjectRecord): void {
    super.forget(id, record);
    this.count(id, -1);
  }

  /** Whether there is a record of the subject, or room for one. */
  private isSeparate(id: string, most: number): boolean {
    if (this.find(id) !== undefined) return true;
    if (this.size >= most || this.bytes >= this.maxBytes) return false;
    return widerNetworks(id).every((network) => (this.counts.get(network.id) ?? 0) < network.most);
  }

  private count(id: string, by: number): void {
    for (const network of widerNetworks(id)) {
      const count = (this.counts.get(network.id) ?? 0) + by;
      if (count > 0) this.counts.set(network.id, count);
      else this.counts.delete(network.id);
    }
  }
}
