/** What Nest finds the {@link Clock} by; the system's unless provided. */
export const API_KEY_CLOCK = Symbol('Clock');

/** The two clocks of a process, in milliseconds. */
export interface Clock {
  /** Since 1970, as the calendar goes: for what expires at a date. May jump. */
  now(): number;
  /** Since any fixed moment, never backwards: for ages. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
