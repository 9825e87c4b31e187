/** Longest piece in which a timer counts its time. */
const SLICE_MS = 100;

/**
 * A time limit for the response of a server that never blames the server for what this process did.
 *
 * After a blocked event loop its timers run first, before the responses that lie in the sockets are read: a plain
 * `setTimeout` would find a server silent that has responded long ago. This one counts only time in which the loop
 * turned (a piece counts its nominal length, however late it ends), and the loop reads its sockets twice more
 * before the limit has passed.
 */
export class LoopTimer {
  private timer: NodeJS.Timeout | undefined;
  private turn: NodeJS.Immediate | undefined;
  private blocked = 0;

  /**
   * @param remaining milliseconds
   * @param expire called with the milliseconds for which the loop was blocked meanwhile
   */
  constructor(
    private remaining: number,
    private readonly expire: (blockedMs: number) => void,
  ) {
    this.next();
  }

  /** May be called again, also after the limit has passed. */
  cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.turn);
  }

  private next(): void {
    const slice = Math.min(this.remaining, SLICE_MS);
    const due = performance.now() + slice;
    const over = (): void => {
      this.remaining -= slice;
      this.blocked += performance.now() - due;
      if (this.remaining > 0) this.next();
      else this.expire(this.blocked);
    };
    this.timer = setTimeout(() => {
      this.turn = setImmediate(() => {
        this.turn = setImmediate(over);
      });
    }, slice);
  }
}
