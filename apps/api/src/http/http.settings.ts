import {
  defineSettings,
  hostName,
  origins,
  settings,
  type SettingsOf,
  wholeNumber,
} from '../settings/settings.js';

/** The public listener: where it listens, how much it takes, and from which pages. */
export const HTTP_SETTINGS = defineSettings('the public listener', {
  host: hostName.prefault('127.0.0.1').register(settings, {
    variable: 'HOST',
    meaning: 'Address that the public listener binds to.',
  }),
  port: wholeNumber(0, 65_535).prefault('3000').register(settings, {
    variable: 'PORT',
    meaning: 'Port of the public listener; 0 takes a free one.',
  }),
  maxConcurrentRequests: wholeNumber(1, 100_000).prefault('2048').register(settings, {
    variable: 'MAX_CONCURRENT_REQUESTS',
    meaning:
      'Requests that one process works on at a time, a quarter of them for one key; further ones get 503.',
  }),
  maxConnections: wholeNumber(1, 1_000_000).prefault('10000').register(settings, {
    variable: 'MAX_CONNECTIONS',
    meaning: 'Connections to the public listener that one process takes; further ones are closed at once.',
  }),
  corsOrigins: origins.optional().register(settings, {
    variable: 'CORS_ORIGINS',
    meaning:
      'Origins whose pages may call the API from a browser with any key; * for all. Pages of others may read it with a publishable key.',
    allowed:
      '* alone, or origins (no wildcards) separated by commas, such as https://shop.example.com,http://localhost:8080',
  }),
});

export type HttpSettings = SettingsOf<typeof HTTP_SETTINGS>;

/** Whether the operator lists an origin in `CORS_ORIGINS`. */
export const isListedOrigin = ({ corsOrigins = [] }: HttpSettings, origin: string): boolean =>
  corsOrigins === '*' || corsOrigins.includes(origin);
