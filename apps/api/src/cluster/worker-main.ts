import cluster from 'node:cluster';
import type { Configuration } from '@petstore/configuration';
import { serverElsewhere } from '../startup/database-server.js';
import type { Log } from '../logging/log.js';
import { type OperationsView, type Service, startService } from '../service.js';
import type { Answers, FromWorker, Task, ToWorker } from './ipc.js';

/** The service in a worker process, on the database that the primary names. */
export async function startWorker(configuration: Configuration, log: Log): Promise<Service> {
  const { url, embedded } = await task();
  const service = await startService(configuration, log, {
    server: serverElsewhere(url, embedded),
    operations: answerPrimary,
  });
  tell({ kind: 'serving', serving: { origin: service.origin, demoKey: service.demoKey } });
  return {
    ...service,
    close: async () => {
      try {
        await service.close();
      } finally {
        // The line to the primary is the last thing that holds the process.
        cluster.worker?.disconnect();
      }
    },
  };
}

/** Tells the primary why there will be no service, and ends the process. */
export function giveUp(message: string): void {
  // With the code of a process that was told to stop, if that is why it does not start.
  const end = (): never => process.exit(process.exitCode ?? 1);
  if (process.connected) process.send?.({ kind: 'failed', message } satisfies FromWorker, end);
  else end();
}

function task(): Promise<Task> {
  return new Promise((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'task') resolve(message.task);
    });
    tell({ kind: 'listening' });
  });
}

function answerPrimary({ registry, readiness }: OperationsView): void {
  const answers: { readonly [About in keyof Answers]: () => Promise<Answers[About]> } = {
    metrics: () => registry.getMetricsAsJSON(),
    readiness,
  };
  process.on('message', (message: ToWorker) => {
    if (message.kind !== 'question') return;
    const { id, about } = message;
    // A question that cannot be answered is as one to a worker that is gone.
    answers[about]().then(
      (answer) => {
        tell({ kind: 'answer', id, answer });
      },
      () => undefined,
    );
  });
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
