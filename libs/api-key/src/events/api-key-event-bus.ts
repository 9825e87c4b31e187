import type { ApiKeyEvent } from './api-key-event.js';

/** What Nest finds the {@link ApiKeyEventBus} by. */
export const API_KEY_EVENT_BUS = Symbol('ApiKeyEventBus');

/**
 * Carries the events of keys to every process. Nothing depends on their arrival: what a process has cached of a
 * key expires within seconds anyway.
 */
export interface ApiKeyEventBus {
  /** Sends the event to every process; rejects when the event could not be sent. */
  publish(event: ApiKeyEvent): Promise<void>;
  /**
   * Calls the listener for every event from now on, until {@link ApiKeyEventBus.close}. Never rejects: a server
   * that is unavailable is connected to as soon as it is back.
   */
  subscribe(listener: (event: ApiKeyEvent) => void): Promise<void>;
  /** Closes the connections; a second call does nothing. */
  close(): Promise<void>;
}
