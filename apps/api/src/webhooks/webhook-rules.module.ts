import { Module } from '@nestjs/common';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { SecretSealer, WebhookTargets } from '@petstore/webhook';
import { ACCESS_SETTINGS, type AccessSettings } from '../access/access.settings.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhooks.settings.js';

/** What endpoints and deliveries share: where webhooks may go, and how their secrets are kept. */
@Module({
  providers: [
    {
      provide: WebhookTargets,
      inject: [WEBHOOK_SETTINGS.KEY],
      useFactory: ({ webhookAllowedNetworks, webhookHttp }: WebhookSettings) =>
        new WebhookTargets({ allowedNetworks: webhookAllowedNetworks, http: webhookHttp }),
    },
    {
      provide: SecretSealer,
      inject: [ACCESS_SETTINGS.KEY, STORAGE_SETTINGS.KEY],
      useFactory: async (
        { apiKeyPepper, previousApiKeyPeppers }: AccessSettings,
        { dataDir }: StorageSettings,
      ) => new SecretSealer(apiKeyPepper ?? (await readOrCreatePepper(dataDir)), previousApiKeyPeppers),
    },
  ],
  exports: [WebhookTargets, SecretSealer],
})
export class WebhookRulesModule {}
