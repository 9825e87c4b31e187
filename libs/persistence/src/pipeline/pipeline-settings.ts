import type { Client } from 'pg';
import type { CircuitBreaker } from '../connection/circuit-breaker.js';

export interface PipelineSettings {
  /** Makes a connection in pipeline mode that knows every statement; has a time limit of its own. */
  readonly open: () => Promise<Client>;
  readonly breaker: CircuitBreaker;
  /** Most connections; made when they are needed. */
  readonly connections: number;
  /** Most queries that the server executes together; 1 where they write. */
  readonly batchSize: number;
  /** Milliseconds from a call to its result or refusal. */
  readonly answerTimeoutMs: number;
  /** What a failed query rejects with, made from what pg says. */
  readonly failure: (error: Error) => Error;
}

/** Connections that are open, those of them that have nothing to do, and queries that wait for one. */
export interface PipelineStats {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}
