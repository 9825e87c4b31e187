import type { ClientConfig } from 'pg';
import { checkPooling } from './check-pooling.js';
import { checkServer } from './check-server.js';
import { createDataSource, type DataSourceSettings, POOL_SIZE, VARIABLE } from './data-source.js';
import { Database } from './database.js';
import { ADD, petSession, READS } from './pet/pet-statements.js';
import { unavailable } from './pet/postgres-pet.store.js';
import { Pipeline } from './pipeline/pipeline.js';
import { handOutRawRows } from './pipeline/raw-rows.js';
import type { Statement } from './pipeline/statement.js';
import { Availability } from './server/availability.js';
import { BoundedPool } from './server/bounded-pool.js';
import { Bulkhead } from './server/bulkhead.js';
import { endClient, openClient } from './server/client-life.js';
import { limitsWithin, sessionLimits } from './server/limits.js';
import { allowedMethods, requireAuthOf } from './server/require-auth.js';
import { explainStart } from './start-error.js';

/** Room for connecting, for noticing and for an HTTP answer within two seconds, in milliseconds. */
const ANSWER_WITHIN = 1_400;

/** One would do for speed; the second goes on when a slow query holds the first one up. */
const READING = 2;
/** Enough that the Sync between batches costs next to nothing, and few enough that both connections have some. */
const TOGETHER = 16;
/**
 * Commits on one connection come one after the other; those of several share a write to the disk. Creations a
 * second of 64 callers on one disk: 600 with one connection, 1,200 with four, 2,400 with eight.
 */
const WRITING = 8;
/** Share of the pool that units of work may have, which may all wait for the same locks. */
const TRANSACTIONS_SHARE = 0.6;

/**
 * Connects to the database and looks whether it is one that the service can work with.
 *
 * @throws {DatabaseStartError} when it cannot be reached, does not let the service in, is too old, does not keep its
 * text in UTF-8, or does not keep sessions. The message is for the person who configured the address.
 */
export async function openDatabase(settings: DataSourceSettings): Promise<Database> {
  try {
    return await open(settings);
  } catch (error) {
    throw explainStart(error, settings.url, settings.variable ?? VARIABLE);
  }
}

async function open(settings: DataSourceSettings): Promise<Database> {
  allowedMethods(requireAuthOf(settings.url), true);
  const limits = limitsWithin(settings.answerWithin ?? ANSWER_WITHIN);
  const config: ClientConfig = {
    connectionString: settings.url,
    application_name: settings.applicationName ?? 'petstore',
    ...sessionLimits(limits),
  };
  const availability = new Availability(async () => endClient(await openClient(config, limits.connect)));
  const pools: BoundedPool[] = [];
  const dataSource = createDataSource(settings, (options) => {
    const pool = new BoundedPool({ ...options, ...sessionLimits(limits) }, limits, availability);
    pools.push(pool);
    return pool;
  });
  try {
    await dataSource.initialize();
    await checkServer(dataSource);
    await checkPooling(dataSource, config);
  } catch (error) {
    await availability.close();
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  }
  const [pool] = pools as [BoundedPool];
  pool.hurry();
  const pipeline = (statements: readonly Statement[], connections: number, together: number): Pipeline =>
    new Pipeline({
      open: () =>
        openClient({ ...config, pipeline: true }, limits.connect, petSession(statements), handOutRawRows),
      availability,
      connections,
      together,
      answerWithin: limits.answer,
      failure: unavailable,
    });
  const reads = pipeline(READS, READING, TOGETHER);
  const writes = pipeline([ADD], WRITING, 1);
  const mostTransactions = Math.max(1, Math.floor((settings.poolSize ?? POOL_SIZE) * TRANSACTIONS_SHARE));
  const transactions = new Bulkhead(mostTransactions, limits.connect);
  return new Database({ settings, dataSource, pool, reads, writes, availability, transactions });
}
