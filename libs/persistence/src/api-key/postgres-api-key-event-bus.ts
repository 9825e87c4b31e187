import { type ApiKeyEventBus, ApiKeyEvent } from '@petstore/api-key';
import type { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { endClient, openClient } from '../connection/pg-client.js';

const CHANNEL = 'petstore_keys';

/** Pause before a lost connection is opened again. */
const RECONNECT_PAUSE_MS = 1_000;
/** No request waits for this connection. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Carries the events of keys over LISTEN and NOTIFY of PostgreSQL, for a service that runs without Redis. */
export class PostgresApiKeyEventBus implements ApiKeyEventBus {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param url address of the database; a connection that listens can do little else, so it is its own */
  constructor(
    private readonly manager: EntityManager,
    private readonly url: string,
  ) {}

  async publish(event: ApiKeyEvent): Promise<void> {
    await this.manager.query('select pg_notify($1, $2)', [CHANNEL, ApiKeyEvent.encode(event)]);
  }

  async subscribe(listener: (event: ApiKeyEvent) => void): Promise<void> {
    const config = { connectionString: this.url, application_name: 'petstore key events' };
    try {
      const client = await openClient(config, CONNECT_TIMEOUT_MS, [`listen ${CHANNEL}`], (unconnected) => {
        this.client = unconnected;
        unconnected.on('notification', ({ payload = '' }) => {
          const event = ApiKeyEvent.decode(payload);
          if (event !== undefined) listener(event);
        });
        unconnected.once('end', () => {
          this.reconnect(listener);
        });
      });
      // Closed while it was opened.
      if (this.closed) await endClient(client);
    } catch {
      this.reconnect(listener);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.client !== undefined) await endClient(this.client);
  }

  /** Called by Nest. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private reconnect(listener: (event: ApiKeyEvent) => void): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.subscribe(listener), RECONNECT_PAUSE_MS);
    this.timer.unref();
  }
}
