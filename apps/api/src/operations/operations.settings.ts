import { z } from 'zod';
import { baseUrl, defineSettings, origins, settings, type SettingsOf } from '../settings/settings.js';

/** Where clients reach the operations, from which pages, and until when deprecated ones. */
export const OPERATION_SETTINGS = defineSettings('operations', {
  publicBaseUrl: baseUrl.optional().register(settings, {
    variable: 'PUBLIC_BASE_URL',
    meaning:
      'Where clients reach this service; makes Link and Location absolute and stands in the OpenAPI document. Path references without it.',
  }),
  corsOrigins: origins.optional().register(settings, {
    variable: 'CORS_ORIGINS',
    meaning:
      'Origins whose pages may call the API from a browser with any key; * for all. Pages of others may read it with a publishable key.',
    allowed:
      '* alone, or origins (no wildcards) separated by commas, such as https://shop.example.com,http://localhost:8080',
  }),
  getPetDeprecatedSince: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .transform((text) => new Date(text))
    .prefault('2025-12-05T00:00:00Z')
    .register(settings, {
      variable: 'GET_PET_DEPRECATED_SINCE',
      meaning: 'When GET /v1/pets/{petId} became deprecated; stands in its Deprecation header.',
      allowed: 'a date or a time of ISO 8601 with its offset, such as 2025-12-05T00:00:00Z',
    }),
  getPetAfterSunset: z.enum(['serve', 'remove']).prefault('serve').register(settings, {
    variable: 'GET_PET_AFTER_SUNSET',
    meaning: 'Whether GET /v1/pets/{petId} continues after 5 December 2030 (serve) or responds 410 (remove).',
    allowed: 'serve or remove',
  }),
});

export type OperationSettings = SettingsOf<typeof OPERATION_SETTINGS>;

/** Whether the operator lists an origin in `CORS_ORIGINS`. */
export const isListedOrigin = ({ corsOrigins = [] }: OperationSettings, origin: string): boolean =>
  corsOrigins === '*' || corsOrigins.includes(origin);
