import { type CanActivate, type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { type AnswerHeaders, ApiError, formatLinks, setHeaders } from '@petstore/http-kernel';

/** Removal date of the deprecated operation (specification, section 4.3). */
export const SUNSET = new Date('2030-12-05T00:00:00Z');

const DEPRECATED = Symbol('deprecated operation');

/** Marks a handler as the deprecated operation, for {@link DeprecationNotice}. */
export const MarkDeprecated = (): CustomDecorator<symbol> => SetMetadata(DEPRECATED, true);

/** What the deprecated operation says of itself, and whether it still answers. */
export class Deprecation {
  /** Header fields of every answer of the operation (RFC 9745, RFC 8594, RFC 8288). */
  readonly notice: AnswerHeaders;

  constructor(
    private readonly policy: {
      readonly since: Date;
      readonly afterSunset: 'serve' | 'remove';
      /** Page that tells people about the deprecation. */
      readonly documentation: string;
      /** Where the replacement is. */
      readonly successor: string;
      /** Milliseconds since 1970. */
      readonly now: () => number;
    },
  ) {
    this.notice = {
      Deprecation: `@${Math.floor(policy.since.getTime() / 1000)}`,
      Sunset: SUNSET.toUTCString(),
      Link: formatLinks([
        { target: policy.documentation, rel: 'deprecation', type: 'text/html' },
        { target: policy.successor, rel: 'successor-version' },
      ]),
    };
  }

  /** Puts the notice on an answer. */
  announce(response: ServerResponse): void {
    setHeaders(response, this.notice);
  }

  /** @throws ApiError operation_removed after the removal date, when the operator wants it gone */
  refuseIfRemoved(): void {
    if (this.policy.afterSunset === 'remove' && this.policy.now() >= SUNSET.getTime()) {
      throw new ApiError('operation_removed');
    }
  }
}

/**
 * Puts the notice on every answer of the deprecated operation, refusals included. It refuses nobody; it
 * is a guard because guards are the first in Nest to know the handler, and it comes before all others.
 */
export class DeprecationNotice implements CanActivate {
  /** Looking at metadata costs more than everything else here. */
  private readonly deprecated = new WeakMap<object, boolean>();

  constructor(private readonly deprecation: Deprecation) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let deprecated = this.deprecated.get(handler);
    if (deprecated === undefined) {
      deprecated = Reflect.hasMetadata(DEPRECATED, handler);
      this.deprecated.set(handler, deprecated);
    }
    if (deprecated) this.deprecation.announce(context.switchToHttp().getResponse<ServerResponse>());
    return true;
  }
}
