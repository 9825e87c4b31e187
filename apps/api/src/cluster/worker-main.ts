import cluster from 'node:cluster';
import type { Configuration } from '../configuration/configuration.js';
import type { Log } from '../logging/log.js';
import { type ManagementView, type Service, startService } from '../startup/start-service.js';
import { serverElsewhere } from '../storage/database-server.js';
import type { Assignment, IpcReplies, ToPrimary, ToWorker } from './ipc.js';

const HEARTBEAT_MS = 1_000;

/** Starts the service in a worker process, on the database that the primary assigns. */
export async function startWorker(configuration: Configuration, log: Log): Promise<Service> {
  setInterval(() => {
    sendToPrimary({ kind: 'heartbeat' });
  }, HEARTBEAT_MS).unref();
  const { url, embedded } = await receiveAssignment();
  const service = await startService(configuration, log, {
    server: serverElsewhere(url, embedded),
    management: reportToPrimary,
  });
  sendToPrimary({ kind: 'ready', ready: { origin: service.origin, demoKey: service.demoKey } });
  return {
    ...service,
    close: async () => {
      try {
        await service.close();
      } finally {
        // The channel to the primary is the last thing that keeps the process alive.
        cluster.worker?.disconnect();
      }
    },
  };
}

function receiveAssignment(): Promise<Assignment> {
  return new Promise((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'assignment') resolve(message.assignment);
    });
    sendToPrimary({ kind: 'loaded' });
  });
}

function reportToPrimary({ registry, readiness }: ManagementView): void {
  const replies: { readonly [About in keyof IpcReplies]: () => Promise<IpcReplies[About]> } = {
    metrics: () => registry.getMetricsAsJSON(),
    readiness,
  };
  process.on('message', (message: ToWorker) => {
    if (message.kind !== 'request') return;
    const { id, about } = message;
    replies[about]().then(
      (reply) => {
        sendToPrimary({ kind: 'reply', id, reply });
      },
      // The primary treats a missing reply like a worker that is gone.
      () => undefined,
    );
  });
}

function sendToPrimary(message: ToPrimary): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
