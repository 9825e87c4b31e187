import { waitFor } from '@petstore/testing';
import type { Degradation, RateLimitObserver, RateLimitSubject } from '../src/index.js';

type Change = 'degraded' | 'recovered';

/** Takes down when Redis goes and comes, and what it loses. */
export class ChangeLog implements RateLimitObserver {
  readonly names: Change[] = [];
  readonly reasons: string[] = [];
  readonly refused: boolean[] = [];
  /** Ids of subjects. */
  readonly lostIds: string[] = [];

  degraded({ reason, refused }: Degradation): void {
    this.names.push('degraded');
    this.reasons.push(reason);
    this.refused.push(refused);
  }

  recovered(): void {
    this.names.push('recovered');
  }

  lost({ id }: RateLimitSubject): void {
    this.lostIds.push(id);
  }

  /** Resolves when the last change is this one. */
  async wait(change: Change): Promise<void> {
    await waitFor(() => this.names.at(-1) === change);
  }

  /** Whether a single Redis is in use. */
  get isUsed(): boolean {
    return this.names.at(-1) !== 'degraded';
  }
}
