import { OrderedList } from './ordered-list.js';

/** Whose connections are counted together: those of one address, or of one IPv6 /64. */
export interface Peer<Member> {
  readonly network: string;
  connections: number;
  /** Its idle connections, in the order in which they became idle. */
  readonly idle: OrderedList<Member>;
}

/** The peers that have connections, by network; others are not kept. */
export class Peers<Member> {
  private readonly known = new Map<string, Peer<Member>>();

  /** Counts one more connection of a network. */
  add(network: string): Peer<Member> {
    let peer = this.known.get(network);
    if (peer === undefined) {
      peer = { network, connections: 0, idle: new OrderedList() };
      this.known.set(network, peer);
    }
    peer.connections++;
    return peer;
  }

  /** Counts one connection less. */
  remove(peer: Peer<Member>): void {
    if (--peer.connections === 0) this.known.delete(peer.network);
  }
}
