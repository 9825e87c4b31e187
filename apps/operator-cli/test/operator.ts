import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { Database } from '@petstore/persistence';
import { EMPTY_TABLES, memoryFolder, startMigratedPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { run } from '../src/program.js';

export const PEPPER = 'the pepper of these tests';

/** A command of the program, as npm's scripts call it, or as the program does. */
export type Program = 'key' | 'keys' | 'events' | 'webhook' | 'webhooks' | 'import' | 'export' | 'migrate';

export interface Outcome {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process to its end, with nothing in its environment but what is given. */
export async function runHere(
  program: Program,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  let out = '';
  let err = '';
  const exit = await run([program, ...args], {
    environment,
    out: (text) => (out += text),
    outSecret: (text) => (out += text),
    err: (text) => (err += text),
    user: 'anna',
  });
  return { exit, out, err };
}

/** The built program. */
export const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/** Starts the built program as a process of its own, with nothing in its environment but what is given. */
export function startProcess(
  program: Program,
  args: readonly string[],
  environment: Record<string, string>,
  output: 'pipe' | 'ignore' | number = 'pipe',
): ChildProcess {
  return spawn(process.execPath, [MAIN, program, ...args], {
    env: environment,
    stdio: ['ignore', output, 'pipe'],
  });
}

export async function runProcess(
  program: Program,
  args: readonly string[],
  environment: Record<string, string>,
  output: 'pipe' | number = 'pipe',
): Promise<Outcome> {
  const child = startProcess(program, args, environment, output);
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, out, err };
}

/** The programs on a database of their own for each file of tests. */
export class Operator {
  server!: TestPostgres;
  database!: Database;
  /** A session past the programs. */
  admin!: Client;

  constructor() {
    beforeAll(async () => {
      this.server = await startMigratedPostgres((settings) => Database.open(settings));
      this.database = await Database.open({ url: this.server.url });
      this.admin = new Client(this.server.url);
      await this.admin.connect();
    });
    // Also of a test that has failed within a transaction.
    afterEach(() => this.admin.query('rollback'));
    afterAll(async () => {
      await this.admin.end();
      await this.database.close();
      await this.server.stop();
    });
  }

  /** Waits until a condition of SQL holds. */
  async until(condition: string): Promise<void> {
    for (;;) {
      const { rows } = await this.admin.query<{ holds: boolean }>(`select ${condition} as holds`);
      if (rows[0]?.holds === true) return;
      await sleep(5);
    }
  }

  /**
   * Runs statements in a transaction, and the work, and commits once a program of this name waits for a lock.
   *
   * @param then runs before the commit
   */
  async whileWaiting<T>(
    applicationName: string,
    statements: string,
    work: () => T,
    then: (session: Client) => Promise<unknown>,
  ): Promise<T> {
    const session = new Client(this.server.url);
    await session.connect();
    try {
      await session.query(`begin; ${statements}`);
      const working = work();
      await this.until(
        `exists (select from pg_stat_activity where application_name = '${applicationName}' and wait_event_type = 'Lock')`,
      );
      await then(session);
      await session.query('commit');
      return working;
    } finally {
      await session.end();
    }
  }

  /** Waits until the sessions of a program that was killed have ended: they finish the statement that they are at. */
  untilNoSession(applicationName: string): Promise<void> {
    return this.until(
      `not exists (select from pg_stat_activity where application_name = '${applicationName}')`,
    );
  }

  get environment(): Record<string, string> {
    return { DATABASE_URL: this.server.url, API_KEY_PEPPER: PEPPER };
  }

  readonly run = (
    program: Program,
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<Outcome> => runHere(program, args, { ...this.environment, ...environment });

  /** Runs a command that must succeed; what it prints with `--json`, on one line. */
  readonly json = async <Printed>(
    program: Program,
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<Printed> => {
    const { exit, out, err } = await this.run(program, [...args, '--json'], environment);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^[^\n]+\n$/);
    return JSON.parse(out) as Printed;
  };

  async emptyStock(): Promise<void> {
    await this.admin.query(EMPTY_TABLES);
  }
}

/** The programs with a folder of files where they are called, and an empty stock for each test. */
export class FileOperator extends Operator {
  folder = '';

  constructor() {
    super();
    let remove = (): Promise<void> => Promise.resolve();
    beforeAll(async () => {
      const folder = await memoryFolder('operator-files');
      this.folder = folder.path;
      remove = () => folder.remove();
      const sql = `insert into api_keys (id, name, plan, scopes, created_at) values ('key_1', 'x', 'free', '{pets:read}', now())`;
      await this.admin.query(sql);
    });
    afterAll(() => remove());
    beforeEach(() => this.emptyStock());
  }

  override get environment(): Record<string, string> {
    return { ...super.environment, INIT_CWD: this.folder };
  }

  /** Writes a file; the name by which the programs find it. */
  readonly write = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(this.folder, name), content);
    return name;
  };

  /** Rows of a query, each as an array. */
  readonly select = async (text: string): Promise<unknown[][]> =>
    (await this.admin.query<unknown[]>({ text, rowMode: 'array' })).rows;

  /** What a client does that reserves an animal. */
  readonly placeOrder = (petId: number, session = this.admin): Promise<unknown> =>
    session.query(
      `insert into orders (pet_id, key_id, status, expires_at) values ($1, 'key_1', 'placed', now() + interval '1 day')`,
      [petId],
    );
}
