import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { DeliveryQueueStore } from '@petstore/persistence';
import {
  DeliverySignal,
  SecretSealer,
  WebhookDeliverer,
  WebhookSender,
  WebhookTargets,
} from '@petstore/webhook';
import { type Log, LOG } from '../logging/log.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** For attempts that are under way at a shutdown, in milliseconds: as long as requests have to end. */
const GRACE_MS = 4_000;

/** Delivers webhooks while the service runs, unless this instance only serves (`WORKER=off`). */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly deliverer: WebhookDeliverer;
  private stopped: Promise<void> | undefined;

  constructor(
    queue: DeliveryQueueStore,
    targets: WebhookTargets,
    sealer: SecretSealer,
    signal: DeliverySignal,
    @Inject(LOG) log: Log,
    { observe }: WebhookMetrics,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    const sender = new WebhookSender({ targets, proxy: configuration.webhookProxy });
    this.deliverer = new WebhookDeliverer({ queue, sender, sealer, signal, log, observe });
  }

  onApplicationBootstrap(): void {
    if (this.configuration.worker) this.deliverer.start();
  }

  /** Attempts end while requests do. */
  onModuleDestroy(): void {
    this.stopped ??= this.deliverer.stop(GRACE_MS);
  }

  /** Called by Nest before the connections to the database are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
