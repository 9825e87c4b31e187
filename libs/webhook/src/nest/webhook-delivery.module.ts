import {
  type BeforeApplicationShutdown,
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { AddressPolicy, type AddressPolicySettings } from '../address/address-policy.js';
import { type DelivererParts, WebhookDeliverer } from '../delivery/webhook-deliverer.js';
import { SecretSealer } from '../secret/secret-sealer.js';
import { WebhookSender } from '../sending/webhook-sender.js';

/** Options of {@link WebhookDeliveryModule}. */
export interface WebhookDeliveryOptions extends Pick<
  DelivererParts,
  'queue' | 'notifier' | 'log' | 'observe'
> {
  readonly addresses: AddressPolicySettings;
  /** URL of an egress proxy; direct connections when left out. */
  readonly proxy?: string | undefined;
  /** What secrets are sealed under. */
  readonly pepper: string;
  /** What earlier ones may have been sealed under. */
  readonly previousPeppers?: readonly string[] | undefined;
  /** Whether this process delivers. */
  readonly delivers: boolean;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<WebhookDeliveryOptions>().setClassMethodName('forRoot').build();

/** For attempts that are under way at a shutdown, in milliseconds: as long as requests have to end. */
const GRACE_MS = 4_000;

/**
 * Delivers webhooks while the application runs, unless told otherwise, and provides {@link AddressPolicy} and
 * {@link SecretSealer}. At a shutdown attempts end while requests do; they have ended before Nest closes what the queue
 * needs (`OnApplicationShutdown`).
 */
@Module({
  providers: [
    {
      provide: AddressPolicy,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ addresses }: WebhookDeliveryOptions) => new AddressPolicy(addresses),
    },
    {
      provide: SecretSealer,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ pepper, previousPeppers }: WebhookDeliveryOptions) =>
        new SecretSealer(pepper, previousPeppers),
    },
  ],
  exports: [AddressPolicy, SecretSealer],
})
export class WebhookDeliveryModule
  extends ConfigurableModuleClass
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly deliverer: WebhookDeliverer;
  private stopped: Promise<void> | undefined;

  constructor(
    policy: AddressPolicy,
    sealer: SecretSealer,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: WebhookDeliveryOptions,
  ) {
    super();
    const { proxy } = options;
    this.deliverer = new WebhookDeliverer({
      ...options,
      sender: new WebhookSender({ policy, proxy }),
      sealer,
    });
  }

  onApplicationBootstrap(): void {
    if (this.options.delivers) this.deliverer.start();
  }

  onModuleDestroy(): void {
    this.stopped ??= this.deliverer.stop(GRACE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
