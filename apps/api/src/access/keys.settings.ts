import { z } from 'zod';
import { settings } from '../configuration/settings.js';
import { list } from '../configuration/value-types.js';

/** API keys. */
export const KEY_SETTINGS = z.object({
  apiKeyPepper: z.string().min(16).optional().register(settings, {
    variable: 'API_KEY_PEPPER',
    meaning:
      'Secret under which API keys are issued and webhook secrets sealed; required with DATABASE_URL, otherwise made once and kept in the data folder.',
    allowed: 'at least 16 characters',
    secret: true,
  }),
  previousApiKeyPeppers: list(z.string().min(16)).optional().register(settings, {
    variable: 'API_KEY_PEPPER_PREVIOUS',
    meaning:
      'Previous peppers, separated by commas: keys issued and webhook secrets sealed under them stay valid.',
    allowed: 'secrets of at least 16 characters, separated by commas',
    secret: true,
  }),
  environment: z.enum(['production', 'staging', 'development']).prefault('development').register(settings, {
    variable: 'PETSTORE_ENVIRONMENT',
    meaning: 'Where this is: generated API keys begin with pet_live_ in production, pet_test_ elsewhere.',
    allowed: 'production, staging or development',
  }),
});
