import { DEFAULT_ADDRESS_LIMITS } from '@petstore/rate-limit';
import { z } from 'zod';
import {
  baseUrl,
  defineSettings,
  settings,
  type SettingsOf,
  url,
  wholeNumber,
} from '../settings/settings.js';

/** The documentation: what it says of this and other environments, and its rate limits. */
export const DOCS_SETTINGS = defineSettings('the docs', {
  productionBaseUrl: baseUrl.optional().register(settings, {
    variable: 'PRODUCTION_BASE_URL',
    meaning:
      'Where production is; the OpenAPI document of every environment lists it, and the docs page may call it.',
  }),
  stagingBaseUrl: baseUrl.optional().register(settings, {
    variable: 'STAGING_BASE_URL',
    meaning: 'Where staging is; likewise.',
  }),
  apiContact: z
    .union([z.email(), url('http:', 'https:')])
    .optional()
    .register(settings, {
      variable: 'API_CONTACT',
      meaning: 'Where consumers get help; stands in the OpenAPI document, which has no contact without it.',
      allowed: 'an e-mail address, or an http or https URL',
    }),
  docsPerMinute: wholeNumber(1, 1_000_000)
    .prefault(String(DEFAULT_ADDRESS_LIMITS.perMinute))
    .register(settings, {
      variable: 'DOCS_PER_MINUTE',
      meaning:
        'Requests outside of /v1, other than for health, that one client address may send in 60 seconds.',
    }),
  docsPerDay: wholeNumber(1, 1_000_000).prefault(String(DEFAULT_ADDRESS_LIMITS.perDay)).register(settings, {
    variable: 'DOCS_PER_DAY',
    meaning: 'Requests outside of /v1, other than for health, that one client address may send in 24 hours.',
  }),
});

export type DocsSettings = SettingsOf<typeof DOCS_SETTINGS>;
