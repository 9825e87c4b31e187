import { Module } from '@nestjs/common';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { SecretSealer, WebhookTargets } from '@petstore/webhook';

/** What endpoints and deliveries share: where webhooks may go, and how their secrets are kept. */
@Module({
  providers: [
    {
      provide: WebhookTargets,
      inject: [CONFIGURATION],
      useFactory: ({ webhookAllowedNetworks, webhookHttp }: Configuration) =>
        new WebhookTargets({ allowedNetworks: webhookAllowedNetworks, http: webhookHttp }),
    },
    {
      provide: SecretSealer,
      inject: [CONFIGURATION],
      useFactory: async ({ apiKeyPepper, previousApiKeyPeppers, dataDir }: Configuration) =>
        new SecretSealer(apiKeyPepper ?? (await readOrCreatePepper(dataDir)), previousApiKeyPeppers),
    },
  ],
  exports: [WebhookTargets, SecretSealer],
})
export class WebhookRulesModule {}
