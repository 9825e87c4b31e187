import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DeliveryQueueStore } from '@petstore/persistence';
import {
  AddressPolicy,
  DeliveryNotifier,
  SecretSealer,
  WebhookDeliverer,
  WebhookSender,
} from '@petstore/webhook';
import { type Log, LOG } from '../logging/log.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhooks.settings.js';

/** For attempts that are under way at a shutdown, in milliseconds: as long as requests have to end. */
const GRACE_MS = 4_000;

/**
 * Delivers webhooks while the application runs, unless the work is left to other instances. At a shutdown attempts end while
 * requests do; they have ended before the connections to the database are closed (`OnApplicationShutdown`).
 */
@Injectable()
export class WebhookDelivery implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly deliverer: WebhookDeliverer;
  private stopped: Promise<void> | undefined;

  constructor(
    queue: DeliveryQueueStore,
    notifier: DeliveryNotifier,
    sealer: SecretSealer,
    policy: AddressPolicy,
    { observe }: WebhookMetrics,
    @Inject(LOG) log: Log,
    @Inject(WEBHOOK_SETTINGS.KEY) { webhookProxy: proxy }: WebhookSettings,
    @Inject(STORAGE_SETTINGS.KEY) private readonly storage: StorageSettings,
  ) {
    const sender = new WebhookSender({ policy, proxy });
    this.deliverer = new WebhookDeliverer({ queue, sender, sealer, notifier, log, observe });
  }

  onApplicationBootstrap(): void {
    if (this.storage.worker) this.deliverer.start();
  }

  onModuleDestroy(): void {
    this.stopped ??= this.deliverer.stop(GRACE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
