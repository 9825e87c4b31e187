/** The lock of the sequencer was not given in time. */
export class SequencerBusyError extends Error {
  override readonly name = 'SequencerBusyError';

  constructor(waitedMs: number, options?: ErrorOptions) {
    super(
      `Another program has held the lock of the sequencer for ${waitedMs / 1_000} seconds, and nothing was changed. ` +
        `Try again; if it stays so, "select * from pg_locks where relation = 'event_head'::regclass" names the session that has it.`,
      options,
    );
  }
}
