import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { sharedSubjectId, widerNetworks } from './address-networks.js';
import type { SubjectRecord } from './subject-record.js';
import { SubjectTable } from './subject-table.js';

/** Addresses that are metered by themselves at a time, unless said otherwise. */
export const MOST_ADDRESSES = 16_384;
/** Beyond them there is room for this share more of networks, which stand for many. */
const NETWORKS_SHARE = 1 / 4;
/** What is left when all that is full, too: so many subjects for all the others together. */
const OTHERS = 64;

/**
 * The records of addresses, which anybody can have as many of as they like. Each is metered by itself while there
 * are few in its network and few in all; a new one beyond that by the network around it, and at last with others.
 * None that is metered by itself makes room for another, so that a flood gains nothing, and what one process keeps
 * here, and has Redis keep, is bounded.
 */
export class AddressTable {
  private readonly table: SubjectTable;
  private readonly most: number;
  /** How many records there are in a network. */
  private readonly counts = new Map<string, number>();

  constructor(most: number, mostBytes: number) {
    this.most = most;
    this.table = new SubjectTable(undefined, mostBytes, (id) => {
      for (const network of widerNetworks(id)) this.count(network.id, -1);
    });
  }

  get size(): number {
    return this.table.size;
  }

  get bytes(): number {
    return this.table.bytes;
  }

  find(id: string): SubjectRecord | undefined {
    return this.table.find(id);
  }

  use(id: string, now: number): SubjectRecord {
    const known = this.table.find(id) !== undefined;
    const record = this.table.use(id, now);
    if (!known) for (const network of widerNetworks(id)) this.count(network.id, 1);
    return record;
  }

  /** The subject that requests of `subject` are charged to now: itself, its network, or one shared with others. */
  effectiveSubject(subject: RateLimitSubject): RateLimitSubject {
    const { id } = subject;
    if (this.table.find(id) !== undefined || this.hasRoomFor(id, this.most)) return subject;
    for (const network of widerNetworks(id)) {
      const known = this.table.find(network.id) !== undefined;
      if (known || this.hasRoomFor(network.id, this.most * (1 + NETWORKS_SHARE))) {
        return { ...subject, id: network.id };
      }
    }
    return { ...subject, id: sharedSubjectId(id, OTHERS) };
  }

  sweep(now: number): void {
    this.table.sweep(now);
  }

  clear(): void {
    this.table.clear();
  }

  private hasRoomFor(id: string, most: number): boolean {
    if (this.table.size >= most || this.table.isFull) return false;
    return widerNetworks(id).every((network) => (this.counts.get(network.id) ?? 0) < network.most);
  }

  private count(network: string, by: number): void {
    const count = (this.counts.get(network) ?? 0) + by;
    if (count > 0) this.counts.set(network, count);
    else this.counts.delete(network);
  }
}
