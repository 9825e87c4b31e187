/** What time it is, in Unix milliseconds. */
export type Clock = () => number;

/** The system's time at the start of the process, and from then on a clock that no setting of the time changes. */
export const steadyClock: Clock = () => performance.timeOrigin + performance.now();
