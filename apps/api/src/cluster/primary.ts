import type { Configuration } from '@petstore/configuration';
import { ManagementServer, MergedMetrics, type ReadinessReport } from '@petstore/observability';
import type { DatabaseServer } from '../storage/database-server.js';
import type { Log } from '../logging/log.js';
import type { Service } from '../startup/service.interface.js';
import { groupReadiness } from './group-readiness.js';
import { WorkerPool } from './worker-pool.js';

/**
 * Starts as many worker processes as configured, each a whole service on the same port. This process serves no
 * API request: it runs the embedded database, replaces workers that die, and runs the management listener for all of
 * them. It loads no Nest.
 */
export async function startCluster(
  configuration: Configuration,
  log: Log,
  server: DatabaseServer,
): Promise<Service> {
  const { processes, opsHost: host, opsPort: port } = configuration;
  const { url, embedded } = server;
  const metrics = new MergedMetrics();
  const workers = new WorkerPool({ url, embedded }, processes, log, (pid) => {
    metrics.ended(pid);
  });
  const readiness = async (): Promise<ReadinessReport> => {
    const reports = await workers.request('readiness');
    return groupReadiness([...reports.values()], workers.isComplete && reports.size === processes);
  };
  const management = new ManagementServer({
    listen: port === undefined ? undefined : { host, port },
    readiness,
    metrics: async () => metrics.text(await workers.request('metrics')),
  });
  try {
    const { origin, demoKey } = await workers.start();
    await management.listen();
    const close = async (): Promise<void> => {
      try {
        await workers.stop();
      } finally {
        await management.close();
        await server.stop();
      }
    };
    return { origin, management: management.origin, demoKey, embedded, close };
  } catch (error) {
    // Why the service did not start matters more than how the rest of it ended.
    await workers.stop().catch(() => undefined);
    await server.stop();
    throw error;
  }
}
