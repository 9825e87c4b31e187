import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { sharedSubjectId, widerNetworks } from './address-networks.js';
import { SubjectTable } from './subject-table.js';
import type { SubjectRecord } from './subject-record.js';

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
