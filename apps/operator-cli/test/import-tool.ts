import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Database } from '@petstore/persistence';
import {
  memoryFolder,
  startTestPostgres,
  type TemporaryFolder,
  type TestPostgres,
} from '@petstore/test-servers';
import { Client } from 'pg';
import { createImportProgram } from '../src/import/import.program.js';
import { run } from '../src/run.js';
import type { Outcome } from './key-tool.js';

/** The tool for imports in this process, on a database of its own for each file of tests. */
export class ImportTool {
  server!: TestPostgres;
  database!: Database;
  /** A session past the service. */
  admin!: Client;
  private folder!: TemporaryFolder;

  constructor() {
    beforeAll(async () => {
      [this.server, this.folder] = await Promise.all([startTestPostgres(), memoryFolder('import')]);
      this.database = await Database.open({ url: this.server.url });
      await this.database.migrate();
      this.admin = new Client(this.server.url);
      await this.admin.connect();
    });
    afterAll(async () => {
      await this.admin.end();
      await this.database.close();
      await Promise.all([this.server.stop(), this.folder.remove()]);
    });
    beforeEach(async () => {
      await this.admin.query('truncate pets, outbox, events, inventory, pet_imports restart identity');
      await this.admin.query('update event_head set position = 0, first = 0');
    });
  }

  /** For processes. */
  get environment(): Record<string, string> {
    return {
      DATABASE_URL: this.server.url,
      API_KEY_PEPPER: 'the pepper of these tests',
      INIT_CWD: this.folder.path,
    };
  }

  /** Writes a file; the name by which the tool finds it. */
  async file(name: string, content: string | Buffer): Promise<string> {
    await writeFile(join(this.folder.path, name), content);
    return name;
  }

  /** Runs the tool to its end. */
  readonly import = async (...args: string[]): Promise<Outcome> => {
    let out = '';
    let err = '';
    const exit = await run(createImportProgram, args, {
      environment: this.environment,
      out: (text) => (out += text),
      err: (text) => (err += text),
      input: Readable.from([]),
      interactive: false,
      colour: false,
      progress: false,
      user: 'anna',
    });
    return { exit, out, err };
  };

  /** Name, category and status of all animals in the order in which they were added. */
  async animals(): Promise<unknown[]> {
    const { rows } = await this.admin.query<{ name: string; category_id: string; status: string }>(
      'select name, category_id, status from pets order by id',
    );
    return rows.map((row) => [row.name, row.category_id, row.status]);
  }

  async count(table: 'pets' | 'outbox' | 'pet_imports'): Promise<number> {
    const { rows } = await this.admin.query<{ count: string }>(`select count(*) from ${table}`);
    return Number(rows[0]?.count);
  }
}
