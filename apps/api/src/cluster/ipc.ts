import type { MetricsSnapshot, ReadinessReport } from '@petstore/observability';

/** What a worker process works on. */
export interface Task {
  /** Address of the database. */
  readonly url: string;
  /** Whether the database is the service's own; the primary process runs it. */
  readonly embedded: boolean;
}

/** What a worker says when it serves. */
export interface Serving {
  readonly origin: string;
  /** The demo key, if this worker has just made it. */
  readonly demoKey: string | undefined;
}

/** What the primary asks its workers, and how they answer. */
export interface Answers {
  readonly metrics: MetricsSnapshot;
  readonly readiness: ReadinessReport;
}

/** From the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'question'; readonly id: number; readonly about: keyof Answers };

/** From a worker to the primary. */
export type FromWorker =
  /** It listens now, and wants its task: what was sent before is lost. */
  | { readonly kind: 'listening' }
  | { readonly kind: 'serving'; readonly serving: Serving }
  /** It cannot start; `message` is for the person who started the program. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[keyof Answers] };
