/** Where the feed is, for operators. Positions and numbers are decimal digits. */
export interface EventFeedStatus {
  /** Position of the last event that is no longer kept. */
  readonly first: string;
  /** Position of the newest event. */
  readonly newest: string;
  /** When the oldest event that is kept happened; `undefined` when there is none. */
  readonly oldestKeptAt: Date | undefined;
  /** Events that have no position yet. */
  readonly waiting: string;
  /** Age of the oldest of these; 0 when there is none. */
  readonly waitingSeconds: number;
}

/** A counter that was wrong. */
export interface InventoryCorrection {
  /** `undefined` for all animals. */
  readonly categoryId: string | undefined;
  readonly status: string;
  readonly was: string;
  readonly animals: string;
}

export interface InventoryRecount {
  /** How many animals there are altogether, as far as the feed has got. */
  readonly animals: string;
  /** How many counters were wrong. */
  readonly corrected: number;
  /** The first of these, those of all animals before the others. */
  readonly corrections: readonly InventoryCorrection[];
}

export interface RestartedEventFeed {
  /** Up to here no position is one of the feed any more; the next event gets the next one. */
  readonly first: string;
}

/** What operators do about the feed and what is kept by it, while the service runs. */
export interface EventMaintenance {
  status(): Promise<EventFeedStatus>;
  /**
   * Counts all animals anew. Meanwhile animals are changed as ever, but no event gets a position.
   *
   * @throws {SequencerBusyError}
   */
  recount(): Promise<InventoryRecount>;
  /**
   * Raises the position of the feed so far that every reader must begin anew: after a restore its readers may know
   * positions of events that are no more.
   *
   * @throws {SequencerBusyError}
   */
  restart(): Promise<RestartedEventFeed>;
}
