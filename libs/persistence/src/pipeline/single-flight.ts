/**
 * Equal reads that wait at the same time are one read.
 *
 * A read may be shared only until it leaves for the server: then it sees everything that had been
 * acknowledged when the last of those who share it asked, and all of them read their own writes.
 */
export class SingleFlight {
  private waiting = new Map<string, Promise<unknown>>();

  /**
   * @param key says all that the read depends on
   * @param ask starts the read and calls `leaving` at the latest when it leaves for the server
   */
  share<T>(key: string, ask: (leaving: () => void) => Promise<T>): Promise<T> {
    const equal = this.waiting.get(key);
    if (equal !== undefined) return equal as Promise<T>;
    let left = false as boolean;
    const answer = ask(() => {
      left = true;
      this.waiting.delete(key);
      if (this.waiting.size === 0) this.waiting = new Map();
    });
    // A read that is refused has left before it could be shared.
    if (!left) this.waiting.set(key, answer);
    return answer;
  }
}
