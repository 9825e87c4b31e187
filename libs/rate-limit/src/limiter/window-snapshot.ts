/** How full a window is. */
export interface WindowUse {
  /** Requests in it. */
  readonly used: number;
  /** Milliseconds until it has room for one more than now; 0 when it is empty. */
  readonly resetMs: number;
}

/** How a subject stands after some requests that were decided together, in one go and at one moment. */
export interface WindowSnapshot {
  /** Unix time of the decision, in milliseconds. */
  readonly now: number;
  /** How many of the requests were admitted: always the first ones. */
  readonly admitted: number;
  /** How many of the others were refused before a ban was in force. */
  readonly plainRefusals: number;
  readonly minute: WindowUse;
  readonly day: WindowUse;
  /** Milliseconds until the ban ends; 0 without one. */
  readonly banMs: number;
  /** How many bans there were in a row, the present one included; 0 without one in force. */
  readonly bans: number;
  /** Whether the ban began with these requests. */
  readonly banStarted: boolean;
}

/** What Redis says, beside how the subject stands. */
export interface RedisSnapshot extends WindowSnapshot {
  /** When the value was made that holds the counters, by Redis' clock; 0 where there is none. */
  readonly incarnation: number;
}
