import { z } from 'zod';
import { settings } from '../configuration/settings.js';

/** Deprecated operations. */
export const DEPRECATION_SETTINGS = z.object({
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
    meaning: 'Whether GET /v1/pets/{petId} goes on after 5 December 2030 (serve) or responds 410 (remove).',
    allowed: 'serve or remove',
  }),
});
