/** The turn of the sequencer was not given in time. */
export class SequencerBusyError extends Error {
  override readonly name = 'SequencerBusyError';

  constructor(waitedMs: number, options?: ErrorOptions) {
    super(
      `Another program has kept the turn of the sequencer for ${waitedMs / 1_000} seconds, and nothing was changed. ` +
        `Try again; if it stays so, "select * from pg_locks where locktype = 'advisory'" names the session that has it.`,
      options,
    );
  }
}
