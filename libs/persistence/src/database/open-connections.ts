import type { ClientConfig } from 'pg';
import { BoundedPool } from '../connection/bounded-pool.js';
import { Bulkhead } from '../connection/bulkhead.js';
import { checkPooling } from '../connection/check-pooling.js';
import { CircuitBreaker } from '../connection/circuit-breaker.js';
import { explainStart } from '../connection/explain-start.js';
import { endClient, openClient } from '../connection/pg-client.js';
import { allowedMethods, requireAuthOf } from '../connection/require-auth.js';
import { toStoreError } from '../connection/store-unavailable.js';
import { sessionTimeouts, type Timeouts, timeoutsWithin } from '../connection/timeouts.js';
import { Turns } from '../connection/turns.js';
import { PING } from '../pipeline/ping.js';
import { Pipeline } from '../pipeline/pipeline.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { prepareSession } from '../pipeline/prepare-session.js';
import { handOutRawRows } from '../pipeline/raw-rows.js';
import type { Statement } from '../pipeline/statement.js';
import { checkServer } from '../schema/check-server.js';
import { createDataSource, type DataSourceSettings, POOL_SIZE, VARIABLE } from '../schema/data-source.js';
import { READS, WRITES } from '../schema/resources.js';
import type { DatabaseParts } from './database-connection.js';

/** Leaves room for connecting, for noticing a failure and for the HTTP response within two seconds. */
const ANSWER_TIMEOUT_MS = 1_400;

/** One would do for speed; the second goes on when a slow query holds the first one up. */
const READ_CONNECTIONS = 2;
/** Enough that the Sync between batches costs next to nothing, and few enough that both connections have some. */
const READ_BATCH_SIZE = 16;
/**
 * Commits on one connection come one after the other; those of several share a write to the disk. Creations a
 * second of 64 callers on one disk: 600 with one connection, 1,200 with four, 2,400 with eight.
 */
const WRITE_CONNECTIONS = 8;
/** What one write refuses must not undo another. */
const WRITE_BATCH_SIZE = 1;
/** Transactions of background work at a time: events are sequenced by one, and deliveries claimed by another one. */
const BACKGROUND_TRANSACTIONS = 2;
/** Share of the pool that transactions of requests may have; what is left is for these, keys and health. */
const TRANSACTION_SHARE = 0.5;

/**
 * Connects to the database and checks that the service can use it.
 *
 * @throws {DatabaseStartError} when the server cannot be reached, refuses the session, is too old, does not keep its
 * text in UTF-8, or does not keep sessions. The message is for the person who configured the address.
 */
export async function openConnections(settings: DataSourceSettings): Promise<DatabaseParts> {
  try {
    return await open(settings);
  } catch (error) {
    throw explainStart(error, settings.url, settings.variable ?? VARIABLE);
  }
}

async function open(settings: DataSourceSettings): Promise<DatabaseParts> {
  allowedMethods(requireAuthOf(settings.url), true);
  const timeouts = timeoutsWithin(settings.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  const config: ClientConfig = {
    connectionString: settings.url,
    application_name: settings.applicationName ?? 'petstore',
    ...sessionTimeouts(timeouts),
  };
  const breaker = new CircuitBreaker(async () => endClient(await openClient(config, timeouts.connectMs)));
  const pools: BoundedPool[] = [];
  const dataSource = createDataSource(settings, (options) => {
    const pool = new BoundedPool({ ...options, ...sessionTimeouts(timeouts) }, timeouts, breaker);
    pools.push(pool);
    return pool;
  });
  try {
    await dataSource.initialize();
    await checkServer(dataSource);
    await checkPooling(dataSource, config);
  } catch (error) {
    await breaker.close();
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  }
  const [pool] = pools as [BoundedPool];
  pool.enforceTimeouts();
  const mostTransactions = Math.max(1, Math.floor((settings.poolSize ?? POOL_SIZE) * TRANSACTION_SHARE));
  return {
    settings,
    dataSource,
    pool,
    pipelines: openPipelines(config, timeouts, breaker),
    breaker,
    transactions: new Bulkhead(mostTransactions, timeouts.connectMs),
    backgroundTransactions: new Bulkhead(BACKGROUND_TRANSACTIONS, timeouts.connectMs),
    turns: new Turns(timeouts.turnMs),
  };
}

function openPipelines(config: ClientConfig, timeouts: Timeouts, breaker: CircuitBreaker): Pipelines {
  const pipeline = (statements: readonly Statement[], connections: number, batchSize: number): Pipeline => {
    const session = prepareSession(statements);
    return new Pipeline({
      open: () => openClient({ ...config, pipeline: true }, timeouts.connectMs, session, handOutRawRows),
      breaker,
      connections,
      batchSize,
      answerTimeoutMs: timeouts.answerMs,
      failure: toStoreError,
    });
  };
  return new Pipelines(
    pipeline([...READS, PING], READ_CONNECTIONS, READ_BATCH_SIZE),
    pipeline(WRITES, WRITE_CONNECTIONS, WRITE_BATCH_SIZE),
  );
}
