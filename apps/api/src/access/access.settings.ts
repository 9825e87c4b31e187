import { DEFAULT_ADDRESS_LIMITS } from '@petstore/rate-limit';
import { z } from 'zod';
import {
  choice,
  defineSettings,
  isUnambiguous,
  list,
  network,
  onOff,
  settings,
  type SettingsOf,
  url,
  wholeNumber,
} from '../settings/settings.js';

/**
 * ioredis takes any other form for another server or database, or for a connection without TLS. `family` selects IPv4
 * (4), IPv6 (6) or either (0) of a host's addresses.
 */
const REDIS_URL =
  /^rediss?:\/\/(?:[^/?#]*@)?(?:\[[\da-fA-F:.]+\]|[\w.-]+)(?::\d+)?(?:\/\d{0,9})?(?:\?family=[046])?$/;

const redisUrl = url('redis:', 'rediss:').refine((text) => REDIS_URL.test(text) && isUnambiguous(text));

/** A cluster has database 0 alone, and the client connects and logs in to each node as to the first. */
function areOneCluster(urls: readonly string[]): boolean {
  const [first, ...others] = urls.map((text) => new URL(text));
  if (first === undefined || others.length === 0) return true;
  const isAlike = ({ protocol, username, password }: URL): boolean =>
    protocol === first.protocol &&
    ((username === '' && password === '') || (username === first.username && password === first.password));
  return others.every(isAlike) && ![first, ...others].some(({ pathname }) => /[1-9]/.test(pathname));
}

/** In characters: shorter ones can be guessed. */
const SHORTEST_PEPPER = 16;

const pepper = z.string().min(SHORTEST_PEPPER).describe(`at least ${SHORTEST_PEPPER} characters`);

/** Whose address a request has; Redis, which shares limits; API keys; limits of requests without a key, and bans. */
export const ACCESS_SETTINGS = defineSettings('access', {
  trustedProxies: list(network).optional().register(settings, {
    variable: 'TRUSTED_PROXIES',
    meaning: 'Proxies whose X-Forwarded-For counts, as addresses or networks; none by default.',
    allowed: 'addresses or CIDR networks separated by commas, such as 10.0.0.0/8,::1',
  }),
  redisUrls: list(redisUrl).refine(areOneCluster).optional().register(settings, {
    variable: 'REDIS_URL',
    meaning:
      'Redis, or the nodes of a Redis Cluster separated by commas; without it limits are kept in the process.',
    allowed:
      "redis:// or rediss://user:password@host:port/database, percent-encoded; a cluster's nodes by commas, no database",
    credentials: true,
  }),
  apiKeyPepper: pepper.optional().register(settings, {
    variable: 'API_KEY_PEPPER',
    meaning:
      'Secret under which API keys are issued and webhook secrets sealed; required with DATABASE_URL, otherwise made once and kept in the data folder.',
    secret: true,
  }),
  previousApiKeyPeppers: list(pepper)
    .optional()
    .register(settings, {
      variable: 'API_KEY_PEPPER_PREVIOUS',
      meaning:
        'Previous peppers, separated by commas: keys issued and webhook secrets sealed under them stay valid.',
      allowed: `secrets of at least ${SHORTEST_PEPPER} characters, separated by commas`,
      secret: true,
    }),
  environment: choice(['production', 'staging', 'development']).prefault('development').register(settings, {
    variable: 'PETSTORE_ENVIRONMENT',
    meaning:
      'Where this is. In production generated API keys begin with pet_live_, elsewhere with pet_test_; DATABASE_URL or PETSTORE_DATA_DIR must be set, and a new embedded database gets no sample animals and no demo key.',
  }),
  anonymousPerMinute: wholeNumber(1, 1_000_000)
    .prefault(String(DEFAULT_ADDRESS_LIMITS.perMinute))
    .register(settings, {
      variable: 'ANONYMOUS_PER_MINUTE',
      meaning: 'Requests without an accepted key that one client address may send in 60 seconds.',
    }),
  anonymousPerDay: wholeNumber(1, 1_000_000)
    .prefault(String(DEFAULT_ADDRESS_LIMITS.perDay))
    .register(settings, {
      variable: 'ANONYMOUS_PER_DAY',
      meaning: 'Requests without an accepted key that one client address may send in 24 hours.',
    }),
  bans: onOff.prefault('on').register(settings, {
    variable: 'BANS',
    meaning: 'Whether a key that keeps sending after it was refused is banned for a while.',
  }),
});

export type AccessSettings = SettingsOf<typeof ACCESS_SETTINGS>;
