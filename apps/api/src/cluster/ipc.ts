import type { ReadinessReport, Registry } from '@petstore/observability';

/** The database that a worker serves. */
export interface Assignment {
  /** Password included. */
  readonly url: string;
  /** Whether the database is the service's own, which the primary process runs. */
  readonly embedded: boolean;
}

/** What a worker reports when it serves requests. */
export interface WorkerReady {
  readonly origin: string;
  /** The demo key, if this worker has just created it. */
  readonly demoKey: string | undefined;
}

/** What the primary requests from its workers, and the type of the reply. */
export interface IpcReplies {
  readonly metrics: Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
  readonly readiness: ReadinessReport;
}

/** From the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'assignment'; readonly assignment: Assignment }
  | { readonly kind: 'request'; readonly id: number; readonly about: keyof IpcReplies };

/** From a worker to the primary. */
export type ToPrimary =
  /** The program is loaded and can receive its assignment; messages sent before are lost. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready'; readonly ready: WorkerReady }
  /** The worker cannot start; `message` is for the person who started the program. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Sent every second, also during the start. */
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: IpcReplies[keyof IpcReplies] };

/** Reports to the primary why this worker cannot start, and ends the process. Loads nothing that could fail as well. */
export function exitWithFailure(message: string): void {
  // With the exit code of a requested stop if that is why it does not start.
  const exit = (): never => process.exit(process.exitCode ?? 1);
  if (process.connected) process.send?.({ kind: 'failed', message } satisfies ToPrimary, exit);
  else exit();
}
