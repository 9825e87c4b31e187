import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DeliveryQueueStore } from '@petstore/persistence';
import {
  DeliverySignal,
  SecretSealer,
  WebhookDeliverer,
  WebhookSender,
  WebhookTargets,
} from '@petstore/webhook';
import { type Log, LOG } from '../logging/log.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhooks.settings.js';

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
    @Inject(WEBHOOK_SETTINGS.KEY) { webhookProxy: proxy }: WebhookSettings,
    @Inject(STORAGE_SETTINGS.KEY) private readonly settings: StorageSettings,
  ) {
    const sender = new WebhookSender({ targets, proxy });
    this.deliverer = new WebhookDeliverer({ queue, sender, sealer, signal, log, observe });
  }

  onApplicationBootstrap(): void {
    if (this.settings.worker) this.deliverer.start();
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
