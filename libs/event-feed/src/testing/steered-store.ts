import type { Backlog, SequencingOutcome, SequencingStore } from '../event-sequencer.js';

/** What the next call is to come to; a number is events that were given a position. */
export type Step = number | 'busy' | Error | Promise<number>;

/** An outbox in memory whose every call comes to what a test says; beyond that there is nothing to do. */
export class SteeredStore implements SequencingStore {
  /** How many each call was to take at most. */
  readonly calls: number[] = [];
  private readonly steps: Step[] = [];
  /** A call that is to take more fails, as one that takes longer than a statement may. */
  most = Infinity;
  private active = 0;
  /** Most calls that were under way at the same moment. */
  mostActive = 0;

  next(...steps: Step[]): void {
    this.steps.push(...steps);
  }

  async sequence(most: number): Promise<SequencingOutcome> {
    this.calls.push(most);
    this.mostActive = Math.max(this.mostActive, ++this.active);
    try {
      if (most > this.most) throw new Error('The statement took too long.');
      const step = await (this.steps.shift() ?? 0);
      if (step instanceof Error) throw step;
      if (step === 'busy') return { sequenced: 0, hasMore: false, isBusy: true };
      return { sequenced: step, hasMore: step >= most, isBusy: false };
    } finally {
      this.active--;
    }
  }

  backlog(): Promise<Backlog> {
    return Promise.resolve({ rows: 0, oldestSeconds: 0 });
  }
}
