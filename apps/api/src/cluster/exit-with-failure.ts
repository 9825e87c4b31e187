import type { ToPrimary } from './ipc.js';

/** Reports to the primary why this worker cannot start, and ends the process. Loads nothing that could fail as well. */
export function exitWithFailure(message: string): void {
  // With the exit code of a requested stop if that is why it does not start.
  const exit = (): never => process.exit(process.exitCode ?? 1);
  if (process.connected) process.send?.({ kind: 'failed', message } satisfies ToPrimary, exit);
  else exit();
}
