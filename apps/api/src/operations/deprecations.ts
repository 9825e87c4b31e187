import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, formatLinks, type ResponseHeaders, setHeaders } from '@petstore/http-server';
import { LinkBuilder } from './link-builder.js';
import { API_BASE_PATH } from './paths.js';
import { OPERATION_ERRORS } from './operation.errors.js';
import { OperationRegistry, targetsOf } from './operation-registry.js';
import type { DeprecationOptions } from './operation.js';
import { OPERATION_SETTINGS, type OperationSettings } from './operations.settings.js';

/** Milliseconds since 1970. */
export type Clock = () => number;

/** Injects the {@link Clock} that dates of the contract are compared with. */
export const CLOCK = Symbol('Clock');

/** What responses of an operation say of its end. */
interface Notice {
  readonly method: string;
  /** What targets of its requests look like. */
  readonly target: RegExp;
  /** RFC 9745, RFC 8594, RFC 8288. */
  readonly fields: ResponseHeaders;
}

/** Deprecated operations: says so on each of their responses, refusals included, and ends removed ones. */
@Injectable()
export class Deprecations {
  private readonly notices: readonly Notice[];
  /** Operations that go on their day, by their ids. */
  private readonly removals = new Map<string, DeprecationOptions>();

  /** @throws Error for a deprecated operation without settings */
  constructor(
    { operations }: OperationRegistry,
    private readonly links: LinkBuilder,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(OPERATION_SETTINGS.KEY) { getPetDeprecatedSince, getPetAfterSunset }: OperationSettings,
  ) {
    const settings = new Map([['getPet', { since: getPetDeprecatedSince, afterSunset: getPetAfterSunset }]]);
    this.notices = operations.flatMap(({ id, method, path, deprecation }) => {
      if (deprecation === undefined) return [];
      const own = settings.get(id);
      if (own === undefined) throw new Error(`${id} is deprecated, and has no settings.`);
      if (own.afterSunset === 'remove') this.removals.set(id, deprecation);
      const target = targetsOf(API_BASE_PATH + path);
      return [{ method, target, fields: this.noticeOf(deprecation, own.since) }];
    });
  }

  /** Called before a request is routed: what is refused then is announced, too. */
  announce({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const routed = method === 'HEAD' ? 'GET' : method;
    for (const { method: own, target, fields } of this.notices)
      if (own === routed && target.test(url)) setHeaders(response, fields);
  }

  /**
   * Called by the handler of a deprecated operation.
   *
   * @param id of the operation
   * @throws ApiError operation_removed after the removal date, when the operator wants it gone
   */
  requireServed(id: string): void {
    const removal = this.removals.get(id);
    if (removal !== undefined && this.now() >= removal.sunset.getTime())
      throw new ApiError(OPERATION_ERRORS.operation_removed, { message: removedMessage(removal) });
  }

  private noticeOf({ sunset, successor }: DeprecationOptions, since: Date): ResponseHeaders {
    return {
      Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
      Sunset: sunset.toUTCString(),
      Link: formatLinks([
        { target: this.links.guide('deprecation'), rel: 'deprecation', type: 'text/html' },
        { target: this.links.to(successor.path), rel: 'successor-version' },
      ]),
    };
  }
}

/** The message to a client of the removed operation. */
export function removedMessage({ successor: { method, path, usage } }: DeprecationOptions): string {
  const plainUsage = usage.replaceAll('`', '');
  return `This operation has been removed. Use ${method} ${API_BASE_PATH}${path} ${plainUsage}.`;
}
