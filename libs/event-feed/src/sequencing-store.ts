/** What one call of {@link SequencingStore.sequence} has done. */
export interface SequencingOutcome {
  /** Events that were given a position. */
  readonly sequenced: number;
  /** Whether more of them may wait. */
  readonly hasMore: boolean;
  /** Whether another sequencer was at work: then nothing was done. */
  readonly isBusy: boolean;
}

/** What waits in the outbox. */
export interface Backlog {
  /** Events without a position; counted up to a bound. */
  readonly rows: number;
  /** Age of the oldest one in seconds; 0 when there is none. */
  readonly oldestSeconds: number;
}

/** The outbox and the feed, for the sequencer. A port; an adapter implements it. */
export interface SequencingStore {
  /**
   * Moves at most `most` events from the outbox to the feed, oldest first, and gives them the next positions, together
   * with all that is kept up to date by events, or nothing at all. One caller at a time in the whole installation.
   */
  sequence(most: number): Promise<SequencingOutcome>;
  /** @throws {StoreUnavailableError} */
  backlog(): Promise<Backlog>;
}
