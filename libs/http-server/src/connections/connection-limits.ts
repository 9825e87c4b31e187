/** Why a connection was not taken, or was ended by the service. */
export type DropReason =
  /** Its address has as many as it may have, and none of them was idle. */
  | 'address_limit'
  /** It was idle for long, and another one needed its place: one of its address, or any when all places are taken. */
  | 'made_room'
  /** No connection was idle. */
  | 'full'
  /** Too many pipelined requests wait in the process. */
  | 'pipelined'
  /** The system could not give it to the process, for want of memory or by a firewall. */
  | 'not_accepted';

/** How many connections there may be, and what is called for those that are dropped. */
export interface ConnectionLimits {
  /** Most open connections. */
  readonly most: number;
  /** Most open connections of one address, or of one IPv6 /64. */
  readonly mostPerAddress: number;
  /** The network that an address is counted in; `undefined` for a trusted proxy, which stands for many. */
  readonly networkOf: (address: string | undefined) => string | undefined;
  readonly dropped: (reason: DropReason) => void;
}

/** Injection token of {@link ConnectionLimits}. */
export const CONNECTION_LIMITS = Symbol('ConnectionLimits');
