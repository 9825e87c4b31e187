import type { NextFunction, Request, Response } from 'express';
import { API_BASE_PATH } from './operation.js';

/**
 * Request header fields that responses of the contract depend on (RFC 9110, section 12.5.5). Named on every response,
 * so that no cache returns the response to one origin to another, whatever the operator allows at the time.
 */
const VARY = 'Origin, Authorization';

/**
 * Middleware: every response under `/v1`, refusals and 204 included, carries the same `Vary`. It runs before CORS, which
 * adds nothing to a list that names `Origin`.
 */
export function varyByCaller({ url }: Request, response: Response, next: NextFunction): void {
  if (url.startsWith(API_BASE_PATH)) response.setHeader('Vary', VARY);
  next();
}
