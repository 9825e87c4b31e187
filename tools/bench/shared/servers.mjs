import { startRedis, startTestPostgres } from '../../test-servers/dist/index.js';
import { withClient } from './database.mjs';

/**
 * A real PostgreSQL and a real Redis for one run, on loopback, gone when this process is gone. PostgreSQL
 * does not wait for the disk: what is measured is the work of processes, not of a disk.
 */
export async function startServers() {
  const postgres = await startTestPostgres();
  try {
    // Nothing of its own accord during a measurement.
    await withClient(postgres.url, async (client) => {
      await client.query(`alter system set autovacuum = off`);
      await client.query(`alter system set checkpoint_timeout = '1h'`);
      await client.query(`alter system set max_wal_size = '4GB'`);
      await client.query('select pg_reload_conf()');
    });
    const redis = await startRedis();
    return {
      postgres,
      redis,
      stop: async () => {
        await redis.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
