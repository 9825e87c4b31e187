import type { DeliveryError } from './delivery-error.js';
import { ResolutionError } from './address-resolver.js';
import { RefusedAddressError } from './guarded-lookup.js';

/** How far a request has come. */
export type RequestPhase = 'connecting' | 'handshake' | 'connected';

const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Which failure an error of `node:http`, `node:net` or `node:tls` is, in the words of the API. */
export function failureOf(error: unknown, phase: RequestPhase): DeliveryError {
  if (error instanceof RefusedAddressError) return 'refused_address';
  if (error instanceof ResolutionError) return 'dns';
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'tls';
  return phase === 'handshake' && !LOST.has(code) ? 'tls' : 'connection';
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
