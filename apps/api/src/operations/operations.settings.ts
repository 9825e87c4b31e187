import { z } from 'zod';
import { baseUrl, choice, defineSettings, settings, type SettingsOf } from '../settings/settings.js';

/** Since when, unless an operator says otherwise, and until when there is `GET /v1/pets/{petId}`. */
export const GET_PET_DEPRECATION = { since: '2025-12-05T00:00:00Z', sunset: '2030-12-05T00:00:00Z' } as const;

/** Where clients reach the operations, and until when deprecated ones. */
export const OPERATION_SETTINGS = defineSettings('operations', {
  publicBaseUrl: baseUrl.optional().register(settings, {
    variable: 'PUBLIC_BASE_URL',
    meaning:
      'Where clients reach this service; makes Link and Location absolute and stands in the OpenAPI document. Path references without it.',
  }),
  getPetDeprecatedSince: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .transform((text) => new Date(text))
    .prefault(GET_PET_DEPRECATION.since)
    .register(settings, {
      variable: 'GET_PET_DEPRECATED_SINCE',
      meaning: 'When GET /v1/pets/{petId} became deprecated; stands in its Deprecation header.',
      allowed: 'a date or a time of ISO 8601 with its offset, such as 2025-12-05T00:00:00Z',
    }),
  getPetAfterSunset: choice(['serve', 'remove']).prefault('serve').register(settings, {
    variable: 'GET_PET_AFTER_SUNSET',
    meaning:
      'Whether GET /v1/pets/{petId} continues after the date in its Sunset header (serve) or responds 410 (remove).',
  }),
});

export type OperationSettings = SettingsOf<typeof OPERATION_SETTINGS>;
