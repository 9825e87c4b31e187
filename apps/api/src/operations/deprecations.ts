import type { CallHandler, CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, formatLinks, type ResponseHeaders, setHeaders } from '@petstore/http-server';
import type { Links } from './links.js';
import { OPERATION_ERRORS } from './operation.errors.js';
import type { OperationRegistry } from './register-operations.js';
import type { DeprecationOptions } from './operation.js';
import { API_BASE_PATH } from './paths.js';

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

/** A deprecated operation under the settings of this instance. */
interface Deprecation {
  /** Header fields of every response of the operation (RFC 9745, RFC 8594, RFC 8288). */
  readonly notice: ResponseHeaders;
  /** Milliseconds since 1970; `Infinity` when it continues. */
  readonly removedAt: number;
  readonly options: DeprecationOptions;
}

/**
 * The deprecated operations. As the first guard it refuses nothing: it puts the notice on every response of a deprecated
 * operation, refusals included. As an interceptor it refuses removed operations, after the key and the limit.
 */
export class Deprecations implements CanActivate, NestInterceptor {
  private readonly byHandler = new Map<object, Deprecation>();

  /**
   * @param settings by the id of the operation
   * @throws Error for settings of an operation that is not deprecated
   */
  constructor(
    private readonly registry: OperationRegistry,
    settings: Readonly<Record<string, DeprecationSettings>>,
    private readonly links: Links,
    private readonly now: Clock,
  ) {
    const unknown = new Set(Object.keys(settings));
    for (const { id, handler, deprecation } of registry.operations) {
      if (deprecation === undefined) continue;
      unknown.delete(id);
      const { since = deprecation.since, afterSunset = 'serve' } = settings[id] ?? {};
      this.byHandler.set(handler, {
        notice: this.noticeOf(deprecation, since),
        removedAt: afterSunset === 'remove' ? deprecation.sunset.getTime() : Infinity,
        options: deprecation,
      });
    }
    for (const id of unknown) throw new Error(`There is no deprecated operation ${id}.`);
  }

  canActivate(context: ExecutionContext): boolean {
    const [, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    this.announce(context.getHandler(), response);
    return true;
  }

  /**
   * Called instead of {@link intercept} where Nest's interceptor chain is skipped.
   *
   * @throws ApiError operation_removed after the removal date, when the operator wants it gone
   */
  admit(context: ExecutionContext): undefined {
    const deprecation = this.byHandler.get(context.getHandler());
    if (deprecation !== undefined && this.now() >= deprecation.removedAt)
      throw new ApiError(OPERATION_ERRORS.operation_removed, {
        message: removedMessage(deprecation.options),
      });
  }

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    this.admit(context);
    return next.handle();
  }

  /** Puts its notice on the response of a deprecated operation; other handlers have none. */
  private announce(handler: object, response: ServerResponse): void {
    const deprecation = this.byHandler.get(handler);
    if (deprecation !== undefined) setHeaders(response, deprecation.notice);
  }

  /** Puts its notice on the response to a request that is refused before it is routed. */
  announceUnrouted({ method, url }: IncomingMessage, response: ServerResponse): void {
    const operation = this.registry.match(method, url);
    if (operation !== undefined) this.announce(operation.handler, response);
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
