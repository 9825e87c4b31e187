import type { Configuration } from '@petstore/configuration';
import { MergedMetrics, OperationsServer, type ReadinessReport } from '@petstore/observability';
import type { DatabaseServer } from '../startup/database-server.js';
import type { Log } from '../logging/log.js';
import type { Service } from '../service.js';
import { groupReadiness } from './group-readiness.js';
import { Workers } from './worker-pool.js';

/**
 * Starts as many worker processes as configured, each a whole service on the same port. This process serves no
 * request: it runs the embedded database, replaces workers that die, and answers on the operations listener for
 * all of them.
 */
export async function startGroup(
  configuration: Configuration,
  log: Log,
  server: DatabaseServer,
): Promise<Service> {
  const { processes, opsHost: host, opsPort: port } = configuration;
  const { url, embedded } = server;
  const metrics = new MergedMetrics();
  const workers = new Workers({ url, embedded }, processes, log, (pid) => {
    metrics.ended(pid);
  });
  const readiness = async (): Promise<ReadinessReport> => {
    const reports = await workers.ask('readiness');
    return groupReadiness([...reports.values()], workers.areComplete && reports.size === processes);
  };
  try {
    const { origin, demoKey } = await workers.start();
    const operations =
      port === undefined
        ? undefined
        : await OperationsServer.start({
            host,
            port,
            readiness,
            metrics: async () => metrics.text(await workers.ask('metrics')),
          });
    const close = async (): Promise<void> => {
      try {
        await workers.stop();
      } finally {
        await operations?.close();
        await server.stop();
      }
    };
    return { origin, operations: operations?.origin, demoKey, embedded, close };
  } catch (error) {
    // Why there is no service matters more than how the rest of it ended.
    await workers.stop().catch(() => undefined);
    await server.stop();
    throw error;
  }
}
