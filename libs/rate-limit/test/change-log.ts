import { EventEmitter, once } from 'node:events';
import type { Degradation, RateLimitObserver, RateLimitSubject } from '../src/index.js';

type Change = 'degraded' | 'recovered';

/** Takes down when Redis goes and comes, and what it loses. */
export class ChangeLog implements RateLimitObserver {
  readonly names: Change[] = [];
  readonly reasons: string[] = [];
  readonly refused: boolean[] = [];
  /** Ids of subjects. */
  readonly lostIds: string[] = [];
  private readonly events = new EventEmitter();

  degraded({ reason, refused }: Degradation): void {
    this.reasons.push(reason);
    this.refused.push(refused);
    this.note('degraded');
  }

  recovered(): void {
    this.note('recovered');
  }

  lost({ id }: RateLimitSubject): void {
    this.lostIds.push(id);
  }

  /** Resolves when the last change was this one; rejects after ten seconds. */
  async wait(change: Change): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    while (this.names.at(-1) !== change) await once(this.events, 'change', { signal });
  }

  private note(change: Change): void {
    this.names.push(change);
    this.events.emit('change');
  }
}
