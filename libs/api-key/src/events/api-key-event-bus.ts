import type { ApiKeyEvent } from './api-key-event.js';

/**
 * Carries the events of keys to every process. Nothing depends on their arrival: what a process has cached of a
 * key expires within seconds anyway.
 */
export abstract class ApiKeyEventBus {
  /** Sends the event to every process; rejects when the event could not be sent. */
  abstract publish(event: ApiKeyEvent): Promise<void>;
  /**
   * Calls the listener for every event from now on, until {@link ApiKeyEventBus.close}. Never rejects: a server
   * that is unavailable is connected to as soon as it is back.
   */
  abstract subscribe(listener: (event: ApiKeyEvent) => void): Promise<void>;
  /** Closes the connections; a second call does nothing. */
  abstract close(): Promise<void>;
}
