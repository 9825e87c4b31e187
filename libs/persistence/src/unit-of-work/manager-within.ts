import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** What TypeORM's query runner for PostgreSQL notes of its connection and transaction. */
interface RunnerState {
  databaseConnection: PoolClient;
  isTransactionActive: boolean;
  transactionDepth: number;
}

/**
 * TypeORM's manager on a connection with a transaction that TypeORM has not begun: `save` opens no transaction of its
 * own, and `manager.transaction` is a savepoint. To release its query runner does not release the connection.
 *
 * Made only for those who ask for it: a query runner with its manager, and TypeORM's own messages for the beginning
 * and the end, double what a transaction costs.
 */
export function managerWithin(dataSource: DataSource, client: PoolClient): EntityManager {
  const runner = dataSource.createQueryRunner();
  const state: RunnerState = { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 };
  Object.assign(runner, state);
  return runner.manager;
}

/** From now on the manager refuses whatever is asked of it. */
export async function releaseManager({ queryRunner }: EntityManager): Promise<void> {
  await queryRunner?.release();
}
