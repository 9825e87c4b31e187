import type { ServerResponse } from 'node:http';
import { ApiError, formatLinks, type ResponseHeaders, setHeaders } from '@petstore/http-kernel';
import { guideAddress } from './guide-address.js';
import { OPERATION_ERRORS } from './operation.errors.js';
import { API_BASE_PATH, type DeprecationDeclaration } from './operation.js';

/** What an operator may set for one deprecated operation. */
export interface DeprecationSettings {
  /** Since when it is deprecated, in place of the declared date. */
  readonly since?: Date;
  /** Whether it goes on after its sunset; `serve` unless said. */
  readonly afterSunset?: 'serve' | 'remove';
}

/** What deprecated operations have in common. */
export interface DeprecationSurroundings {
  /** Where the API is: `/v1`, or an absolute URL that ends in it. */
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What a deprecated operation says of itself, and whether it still answers. */
export class Deprecation {
  /** Header fields of every answer of the operation (RFC 9745, RFC 8594, RFC 8288). */
  readonly notice: ResponseHeaders;
  private readonly removedAt: number;
  private readonly now: () => number;

  constructor(
    private readonly declaration: DeprecationDeclaration,
    { since = declaration.since, afterSunset = 'serve' }: DeprecationSettings,
    { baseUrl, now }: DeprecationSurroundings,
  ) {
    const { sunset, successor } = declaration;
    this.now = now;
    this.removedAt = afterSunset === 'remove' ? sunset.getTime() : Infinity;
    this.notice = {
      Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
      Sunset: sunset.toUTCString(),
      Link: formatLinks([
        {
          target: guideAddress(baseUrl, 'deprecation'),
          rel: 'deprecation',
          type: 'text/html',
        },
        { target: baseUrl + successor.path, rel: 'successor-version' },
      ]),
    };
  }

  /** Puts the notice on an answer. */
  announce(response: ServerResponse): void {
    setHeaders(response, this.notice);
  }

  /** @throws ApiError operation_removed after the removal date, when the operator wants it gone */
  refuseIfRemoved(): void {
    if (this.now() >= this.removedAt) {
      throw new ApiError(OPERATION_ERRORS.operation_removed, { message: removedMessage(this.declaration) });
    }
  }
}

/** What a client of the removed operation is told. */
export function removedMessage({ successor: { method, path, usage } }: DeprecationDeclaration): string {
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
