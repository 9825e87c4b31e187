import { z } from 'zod';
import { defineSettings, settingWithDefault } from '../setting.js';

/** Deprecated operations. */
export const DEPRECATION_SETTINGS = defineSettings({
  getPetDeprecatedSince: settingWithDefault({
    variable: 'GET_PET_DEPRECATED_SINCE',
    meaning: 'When GET /v1/pets/{petId} became deprecated; stands in its Deprecation header.',
    allowed: 'a date or a time of ISO 8601 with its offset, such as 2025-12-05T00:00:00Z',
    fallback: '2025-12-05T00:00:00Z',
    schema: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => new Date(text)),
  }),
  getPetAfterSunset: settingWithDefault({
    variable: 'GET_PET_AFTER_SUNSET',
    meaning: 'Whether GET /v1/pets/{petId} goes on after 5 December 2030 (serve) or responds 410 (remove).',
    allowed: 'serve or remove',
    fallback: 'serve',
    schema: z.enum(['serve', 'remove']),
  }),
});
