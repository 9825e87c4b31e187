import { ApiError, formatLinks, type ResponseHeaders } from '@petstore/http-server';
import type { Clock } from './clock.js';
import { guideAddress } from './guide-address.js';
import { OPERATION_ERRORS } from './operation.errors.js';
import { API_BASE_PATH, type DeprecationOptions } from './operation.js';

/** What an operator may set for one deprecated operation. */
export interface DeprecationSettings {
  /** Since when it is deprecated, in place of the declared date. */
  readonly since?: Date;
  /** Whether it goes on after its sunset; `serve` unless said. */
  readonly afterSunset?: 'serve' | 'remove';
}

/** The notice of a deprecated operation, and whether it is still served. */
export class Deprecation {
  /** Header fields of every response of the operation (RFC 9745, RFC 8594, RFC 8288). */
  readonly notice: ResponseHeaders;
  private readonly removedAt: number;

  /** @param baseUrl of the API: `/v1`, or an absolute URL that ends in it */
  constructor(
    private readonly options: DeprecationOptions,
    { since = options.since, afterSunset = 'serve' }: DeprecationSettings,
    baseUrl: string,
    private readonly now: Clock,
  ) {
    const { sunset, successor } = options;
    this.removedAt = afterSunset === 'remove' ? sunset.getTime() : Infinity;
    this.notice = {
      Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
      Sunset: sunset.toUTCString(),
      Link: formatLinks([
        { target: guideAddress(baseUrl, 'deprecation'), rel: 'deprecation', type: 'text/html' },
        { target: baseUrl + successor.path, rel: 'successor-version' },
      ]),
    };
  }

  /** @throws ApiError operation_removed after the removal date, when the operator wants it gone */
  refuseIfRemoved(): void {
    if (this.now() >= this.removedAt)
      throw new ApiError(OPERATION_ERRORS.operation_removed, { message: removedMessage(this.options) });
  }
}

/** What a client of the removed operation is told. */
export function removedMessage({ successor: { method, path, usage } }: DeprecationOptions): string {
  const plainUsage = usage.replaceAll('`', '');
  return `This operation has been removed. Use ${method} ${API_BASE_PATH}${path} ${plainUsage}.`;
}

/** A date as people write it: 5 December 2030. */
export function dayOf(date: Date): string {
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
