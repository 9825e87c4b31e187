import { z } from 'zod';
import {
  baseUrl,
  hostName,
  list,
  network,
  origins,
  settings,
  wholeNumber,
} from '../configuration/settings.js';

/** The public listener: where it listens, who may reach it, how much it takes. */
export const HTTP_SETTINGS = z.object({
  host: hostName.prefault('127.0.0.1').register(settings, {
    variable: 'HOST',
    meaning: 'Address that the public listener binds to.',
  }),
  port: wholeNumber(0, 65_535).prefault('3000').register(settings, {
    variable: 'PORT',
    meaning: 'Port of the public listener; 0 takes a free one.',
  }),
  publicBaseUrl: baseUrl.optional().register(settings, {
    variable: 'PUBLIC_BASE_URL',
    meaning:
      'Where clients reach this service; makes Link and Location absolute and stands in the OpenAPI document. Path references without it.',
  }),
  trustedProxies: list(network).optional().register(settings, {
    variable: 'TRUSTED_PROXIES',
    meaning: 'Proxies whose X-Forwarded-For counts, as addresses or networks; none by default.',
    allowed: 'addresses or CIDR networks separated by commas, such as 10.0.0.0/8,::1',
  }),
  corsOrigins: origins.optional().register(settings, {
    variable: 'CORS_ORIGINS',
    meaning: 'Origins whose pages may call the API from a browser; * for all. No CORS without it.',
    allowed:
      '* alone, or origins (no wildcards) separated by commas, such as https://shop.example.com,http://localhost:8080',
  }),
  maxConcurrentRequests: wholeNumber(1, 100_000).prefault('2048').register(settings, {
    variable: 'MAX_CONCURRENT_REQUESTS',
    meaning:
      'Requests that one process works on at a time, a quarter of them for one key or client address; what is beyond gets 503 early.',
  }),
  maxConnections: wholeNumber(1, 1_000_000).prefault('10000').register(settings, {
    variable: 'MAX_CONNECTIONS',
    meaning:
      'Connections to the public listener that one process keeps; for one more, the longest idle one is closed.',
  }),
  maxConnectionsPerAddress: wholeNumber(1, 1_000_000).prefault('2500').register(settings, {
    variable: 'MAX_CONNECTIONS_PER_ADDRESS',
    meaning:
      'Of these, connections of one client address, all addresses of an IPv6 /64 as one; trusted proxies may have more.',
  }),
});
