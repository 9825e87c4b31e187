import { Injectable } from '@nestjs/common';
import { type ApiKeyEventBus, ApiKeyEvent, type ReceivedApiKeyEvent } from '@petstore/api-key';
import type { Client } from 'pg';
import { cutClient, endClient, openClient } from '../connection/database-client.js';
import { Database } from '../database/database.js';

const CHANNEL = 'petstore_keys';

/** Pause before a lost connection is opened again. */
const RECONNECT_PAUSE_MS = 500;
/** No request waits for this connection. */
const CONNECT_TIMEOUT_MS = 3_000;
/** A server that stops responding is noticed after both, well before cached look-ups expire. */
const CHECK_PAUSE_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;

/** Carries the events of keys over LISTEN and NOTIFY of PostgreSQL. */
@Injectable()
export class ListenNotifyBus implements ApiKeyEventBus {
  /** The session that listens. Not one of the pools, because those are shared. */
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Whether there was a time without a session that listens. */
  private hasMissed = false;
  private isClosed = false;

  constructor(private readonly database: Database) {}

  async publish(event: ApiKeyEvent): Promise<void> {
    await this.database.manager.query('select pg_notify($1, $2)', [CHANNEL, ApiKeyEvent.encode(event)]);
  }

  async subscribe(listener: (event: ReceivedApiKeyEvent) => void): Promise<void> {
    try {
      const client = await openClient({
        connectionString: this.database.settings.url,
        application_name: 'petstore key events',
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: CHECK_TIMEOUT_MS,
        // A standby refuses this: the next attempt may lead to the primary.
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
      else this.checkLater(client);
      if (this.hasMissed) listener({ kind: 'missed' });
      this.hasMissed = false;
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

  private checkLater(client: Client): void {
    this.timer = setTimeout(() => void this.check(client), CHECK_PAUSE_MS).unref();
  }

  /** Cuts a session that does not respond, and checks one that does again later. */
  private async check(client: Client): Promise<void> {
    try {
      await client.query('select 1');
      if (!this.isClosed) this.checkLater(client);
    } catch {
      cutClient(client);
    }
  }

  private reconnect(listener: (event: ReceivedApiKeyEvent) => void): void {
    if (this.isClosed) return;
    this.hasMissed = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.subscribe(listener), RECONNECT_PAUSE_MS).unref();
  }
}
