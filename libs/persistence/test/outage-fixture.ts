import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { type CuttableWire, cuttableWire } from './cuttable-wire.js';
import { startMigratedServer } from './migrated-server.js';
import { everythingWorks } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

/** How the sessions of the tested database are found on the server. */
export const NAME = 'petstore-outage';
/** A call that fails without waiting for a server takes at most so long, in milliseconds. */
export const AT_ONCE = 250;

/**
 * A database behind a wire that can be cut, new for each test of a file. After each test everything must work again,
 * and once the database is closed none of its sessions is left on the server.
 */
export class OutageFixture {
  server!: TestPostgres;
  /** A session of a superuser, past the wire. */
  admin!: Client;
  line!: CuttableWire;
  stores!: Stores;

  constructor() {
    beforeAll(async () => {
      this.server = await startMigratedServer();
      await this.connectAdmin();
    });
    afterAll(async () => {
      await this.admin.end();
      await this.server.stop();
    });
    beforeEach(async () => {
      this.line = await cuttableWire(this.server.url);
      this.stores = await Stores.open({ url: this.line.url, applicationName: NAME });
      await everythingWorks(this.stores);
    });
    afterEach(async () => {
      await soon(() => everythingWorks(this.stores));
      await this.stores.close();
      this.line.close();
      await soon(async () => {
        expect(await this.sessions()).toEqual([]);
      });
    });
  }

  /** Opens {@link OutageFixture.admin}, anew after a crash. */
  async connectAdmin(): Promise<void> {
    const client = new Client(this.server.url);
    client.on('error', () => undefined);
    await client.connect();
    const before = this.admin as Client | undefined;
    this.admin = client;
    void before?.end().catch(() => undefined);
  }

  /** Process ids of the sessions of the tested database. */
  async sessions(): Promise<number[]> {
    const { rows } = await this.admin.query<{ pid: number }>(
      'select pid from pg_stat_activity where application_name = $1 order by pid',
      [NAME],
    );
    return rows.map(({ pid }) => pid);
  }
}
