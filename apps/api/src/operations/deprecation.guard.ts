import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { ApiError, formatLinks, type ResponseHeaders, setHeaders } from '@petstore/http-server';
import type { LinkBuilder } from './link-builder.js';
import { API_BASE_PATH } from './paths.js';
import { OPERATION_ERRORS } from './operation.errors.js';
import type { OperationRegistry } from './operation-registry.js';
import type { DeprecationOptions } from './operation.js';

/** Milliseconds since 1970. */
export type Clock = () => number;

/** Injects the {@link Clock} that dates of the contract are compared with. */
export const CLOCK = Symbol('Clock');

/** What an operator may set for one deprecated operation. */
export interface DeprecationSettings {
  /** Since when it is deprecated; by default the declared date. */
  readonly since?: Date;
  /** Whether it continues after its sunset; `serve` by default. */
  readonly afterSunset?: 'serve' | 'remove';
}

/** Deprecated operations: puts the notice on their responses, refusals included, as the first of the guards, and ends removed ones. */
export class Deprecations implements CanActivate {
  /** Header fields of every response of an operation (RFC 9745, RFC 8594, RFC 8288), by its handler. */
  private readonly notices = new Map<object, ResponseHeaders>();
  /** Deprecated operations that go, by their ids. */
  private readonly removals = new Map<string, DeprecationOptions>();

  /**
   * @param settings by the id of the operation
   * @throws Error for settings of an operation that is not deprecated
   */
  constructor(
    { operations }: OperationRegistry,
    settings: Readonly<Record<string, DeprecationSettings>>,
    private readonly links: LinkBuilder,
    private readonly now: Clock,
  ) {
    const unknown = new Set(Object.keys(settings));
    for (const { id, handler, deprecation } of operations) {
      if (deprecation === undefined) continue;
      unknown.delete(id);
      const { since = deprecation.since, afterSunset = 'serve' } = settings[id] ?? {};
      this.notices.set(handler, this.noticeOf(deprecation, since));
      if (afterSunset === 'remove') this.removals.set(id, deprecation);
    }
    for (const id of unknown) throw new Error(`There is no deprecated operation ${id}.`);
  }

  canActivate(context: ExecutionContext): true {
    const notice = this.notices.get(context.getHandler());
    if (notice !== undefined) setHeaders(context.getArgByIndex<ServerResponse>(1), notice);
    return true;
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
