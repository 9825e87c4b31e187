import type { Configuration } from '../configuration/configuration.js';
import { AggregatorRegistry, ManagementServer, type ReadinessReport } from '@petstore/observability';
import type { DatabaseServer } from '../storage/database-server.js';
import type { Log } from '../logging/log.js';
import { toListenError } from '../startup/listen-error.js';
import type { Service } from '../startup/start-service.js';
import { WorkerPool } from './worker-pool.js';

/**
 * Starts as many worker processes as configured, each a whole service on the same port. This process serves no
 * API request: it runs the embedded database, replaces workers that die or hang, and runs the management listener for
 * all of them. It loads no Nest.
 */
export async function startCluster(
  configuration: Configuration,
  log: Log,
  server: DatabaseServer,
): Promise<Service> {
  const { processes, opsHost: host, opsPort: port } = configuration;
  const { url, embedded } = server;
  const workers = new WorkerPool({ url, embedded }, processes, log);
  const management = new ManagementServer({
    listen: port === undefined ? undefined : { host, port },
    readiness: async () => groupReadiness(await workers.request('readiness'), processes),
    metrics: async () => AggregatorRegistry.aggregate(await workers.request('metrics')).metrics(),
  });
  const close = async (): Promise<void> => {
    try {
      await workers.stop();
    } finally {
      await management.close();
      await server.stop();
    }
  };
  try {
    const { origin, demoKey } = await workers.start();
    await management.listen().catch((error: unknown) => {
      throw toListenError('OPS_', { host, port }, error);
    });
    replaceWorkersOnHangUp(workers, log);
    return { origin, management: management.origin, demoKey, embedded, close };
  } catch (error) {
    // Why the service did not start matters more than how the rest of it ended.
    await close().catch(() => undefined);
    throw error;
  }
}

/**
 * The readiness of several processes behind one port: available while one of them is. The reasons of all are listed.
 *
 * @param expected how many processes should have reported
 */
export function groupReadiness(reports: readonly ReadinessReport[], expected: number): ReadinessReport {
  const reasons = new Set(reports.flatMap((report) => report.reasons ?? []));
  if (reports.length < expected) reasons.add('workers');
  const canServe = reports.some(({ status }) => status !== 'unavailable');
  if (!canServe) return { status: 'unavailable', reasons: [...reasons] };
  return reasons.size > 0 ? { status: 'degraded', reasons: [...reasons] } : { status: 'ok' };
}

/** A signal that comes while workers are replaced counts for all of them together: they are replaced once more. */
function replaceWorkersOnHangUp(workers: WorkerPool, log: Log): void {
  let running = false;
  let wanted = false;
  const replace = async (): Promise<void> => {
    running = true;
    while (wanted) {
      wanted = false;
      log.info('replacing workers');
      await workers.replaceAll();
    }
    running = false;
  };
  process.on('SIGHUP', () => {
    wanted = true;
    if (!running) void replace();
  });
}
