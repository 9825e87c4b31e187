import { z } from 'zod';
import { defineSettings, optionalSetting, settingWithDefault } from '../setting.js';
import { baseUrl, url, wholeNumber } from '../value-types.js';

/** The documentation: what it says of this and other environments, and its rate limits. */
export const DOCS_SETTINGS = defineSettings({
  productionBaseUrl: optionalSetting({
    variable: 'PRODUCTION_BASE_URL',
    meaning:
      'Where production is; the OpenAPI document of every environment lists it, and the docs page may call it.',
    allowed: 'an http or https URL that ends in /v1',
    schema: baseUrl,
  }),
  stagingBaseUrl: optionalSetting({
    variable: 'STAGING_BASE_URL',
    meaning: 'Where staging is; likewise.',
    allowed: 'an http or https URL that ends in /v1',
    schema: baseUrl,
  }),
  apiContact: optionalSetting({
    variable: 'API_CONTACT',
    meaning: 'Where consumers get help; stands in the OpenAPI document, which names nobody without it.',
    allowed: 'an e-mail address, or an http or https URL',
    schema: z.union([z.email(), url('http:', 'https:')]),
  }),
  docsPerMinute: settingWithDefault({
    variable: 'DOCS_PER_MINUTE',
    meaning:
      'Requests outside of /v1, other than for health, that one client address may send in 60 seconds.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '300',
    schema: wholeNumber(1, 1_000_000),
  }),
  docsPerDay: settingWithDefault({
    variable: 'DOCS_PER_DAY',
    meaning: 'Requests outside of /v1, other than for health, that one client address may send in 24 hours.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '10000',
    schema: wholeNumber(1, 1_000_000),
  }),
});
