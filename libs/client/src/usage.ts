import { type CallOptions, callSettings } from './client-options.js';
import type { components } from './contract.generated.js';
import type { Call } from './transport.js';

/** The key of the client, and its requests of the last 30 days. Times are RFC 3339 texts in UTC. */
export type Usage = Readonly<components['schemas']['Usage']>;

export function usageCall(options: CallOptions): Call {
  return { operation: 'getUsage', method: 'GET', path: '/usage', repeatable: true, ...callSettings(options) };
}
