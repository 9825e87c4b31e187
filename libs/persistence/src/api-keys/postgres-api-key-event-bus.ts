import { Injectable } from '@nestjs/common';
import { type ApiKeyEventBus, ApiKeyEvent } from '@petstore/api-key';
import type { Client } from 'pg';
import { endClient, openClient } from '../connection/pg-client.js';
import { Database } from '../database/database.js';

const CHANNEL = 'petstore_keys';

/** Pause before a lost connection is opened again. */
const RECONNECT_PAUSE_MS = 1_000;
/** No request waits for this connection. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Carries the events of keys over LISTEN and NOTIFY of PostgreSQL, for a service that runs without Redis. */
@Injectable()
export class PostgresApiKeyEventBus implements ApiKeyEventBus {
  /** A connection that listens can do little else, so it is its own. */
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly database: Database) {}

  async publish(event: ApiKeyEvent): Promise<void> {
    await this.database.manager.query('select pg_notify($1, $2)', [CHANNEL, ApiKeyEvent.encode(event)]);
  }

  async subscribe(listener: (event: ApiKeyEvent) => void): Promise<void> {
    try {
      const client = await openClient({
        connectionString: this.database.settings.url,
        application_name: 'petstore key events',
        connectMs: CONNECT_TIMEOUT_MS,
        session: `listen ${CHANNEL}`,
      });
      this.client = client;
      client.on('notification', ({ payload = '' }) => {
        const event = ApiKeyEvent.decode(payload);
        if (event !== undefined) listener(event);
      });
      client.once('end', () => {
        this.reconnect(listener);
      });
      // Closed while it was opened.
      if (this.isClosed) await endClient(client);
    } catch {
      this.reconnect(listener);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    if (this.client !== undefined) await endClient(this.client);
  }

  /** Called by Nest. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private reconnect(listener: (event: ApiKeyEvent) => void): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.subscribe(listener), RECONNECT_PAUSE_MS);
    this.timer.unref();
  }
}
