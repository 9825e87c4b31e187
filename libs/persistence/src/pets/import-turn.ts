import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { withClient } from '../connection/database-client.js';
import { sqlStateOf } from '../connection/database-errors.js';
import type { DataSourceSettings } from '../schema/data-source.js';
import type { Transaction } from '../unit-of-work/transaction.js';

/** SQLSTATE of a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** How long to wait for another import. */
const WAIT_SECONDS = 30;

/** The server learns within a minute that the machine of an import is gone. */
const SESSION = `
  set lock_timeout = '${WAIT_SECONDS}s';
  set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 4`;
const LOCK = `select pg_advisory_lock(hashtextextended('petstore import ' || $1, 0))`;
const CLAIM = `
  insert into sources (source, run) values ($1, $2)
  on conflict (source) do update set run = excluded.run, run_at = excluded.run_at`;
const HAS_TURN = 'select from sources where source = $1 and run = $2 for share';
const PROGRESS = `
  select encode(fingerprint, 'hex') as fingerprint, records::float8, animals::float8 from pet_imports where token = $1`;
/** Behind the records that are done, and only there. */
const ADVANCE = `
  insert into pet_imports as done (token, fingerprint, records, animals) values ($1, decode($2, 'hex'), $4, $5)
  on conflict (token) do update set records = excluded.records, animals = done.animals + excluded.animals
    where done.records = $3
  returning 1`;

/** Another import of the same source or file goes on. */
export class ImportBusyError extends Error {
  override readonly name = 'ImportBusyError';
}

/** How far the import of a file without a source has got. */
export interface ImportProgress {
  readonly token: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly fingerprint: string;
  /** Records of the file that were done before, and that are now; those that were left out included. */
  readonly before: number;
  readonly records: number;
  /** Animals that were added. */
  readonly animals: number;
}

/**
 * The turn of one import among others of its source or file. A lock of a session of its own lets them wait for each
 * other, and is free as soon as the process or its machine is gone. What makes sure that two of them never write is in the
 * transaction of each batch: the name of the run in the row of the source, or the progress in that of the file
 * (docs/decisions/0052-imports.md).
 */
export class ImportTurn {
  private readonly run = randomUUID();

  private constructor(private readonly session: Client) {}

  /**
   * Waits for the turn, does the work, and ends the turn.
   *
   * @param name of what is imported
   * @throws {ImportBusyError} when others take too long
   * @throws {StoreUnavailableError}
   */
  static run<T>(
    settings: DataSourceSettings,
    name: string,
    work: (turn: ImportTurn) => Promise<T>,
  ): Promise<T> {
    return withClient(settings, SESSION, async (session) => {
      await session.query(LOCK, [name]).catch((error: unknown) => {
        if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        throw new ImportBusyError(`Another import of the ${name} goes on: let it end.`, { cause: error });
      });
      return work(new ImportTurn(session));
    });
  }

  /** Says that this run writes the source from now on. Only a session that has the lock can. */
  async claim(source: string): Promise<void> {
    await this.session.query(CLAIM, [source, this.run]);
  }

  /**
   * Another run does not begin to write the source until the end of this transaction.
   *
   * @throws {ImportBusyError} when another one has, since this one has lost its session
   */
  async requireIn(tx: Transaction, source: string): Promise<void> {
    const found = await tx.manager.query<unknown[]>(HAS_TURN, [source, this.run]);
    if (found.length === 0)
      throw new ImportBusyError(`Another import of the source ${source} has begun meanwhile.`);
  }

  /** How far the import of a file without a source has got; `undefined` before its first batch. */
  static async progressOf(
    manager: EntityManager,
    token: string,
  ): Promise<Pick<ImportProgress, 'fingerprint' | 'records' | 'animals'> | undefined> {
    const [found] = await manager.query<Omit<ImportProgress, 'token' | 'before'>[]>(PROGRESS, [token]);
    return found;
  }

  /**
   * Keeps with what a transaction adds how far a file is done.
   *
   * @throws {ImportBusyError} when another run has gone on with it
   */
  async advance(tx: Transaction, progress: ImportProgress): Promise<void> {
    const { token, fingerprint, before, records, animals } = progress;
    const values = [token, fingerprint, before, records, animals];
    const done = await tx.manager.query<unknown[]>(ADVANCE, values);
    if (done.length === 0) throw new ImportBusyError('Another import of the file goes on meanwhile.');
  }
}
