/** How often somebody waits for another one before going ahead all the same. */
const MOST_WAITS = 3;

/**
 * Those who want the same thing at the same time, of whom one will get it. They try one after the other, and whoever
 * has waited looks first whether it is still to be had: so that they do not all stand in line for a transaction.
 *
 * Nothing depends on it but the load: other processes try at the same time.
 */
export class Contenders {
  /** What is being tried, by the thing; never rejects. */
  private readonly trying = new Map<string, Promise<unknown>>();

  /**
   * @param look rejects when it is not to be had any more; called after each wait
   * @param attempt to get it
   */
  async run<T>(thing: string, look: () => Promise<void>, attempt: () => Promise<T>): Promise<T> {
    for (let wait = 1; wait <= MOST_WAITS; wait++) {
      const other = this.trying.get(thing);
      if (other === undefined) break;
      await other;
      await look();
    }
    const result = attempt();
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.trying.set(thing, settled);
    try {
      return await result;
    } finally {
      // Somebody who did not wait any longer may have taken the place.
      if (this.trying.get(thing) === settled) this.trying.delete(thing);
    }
  }
}
