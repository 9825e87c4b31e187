import {
  type CallHandler,
  ConfigurableModuleBuilder,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { byAddress, type SubjectOf } from '../address.js';
import { type HeaderTarget, limitRequest, RateLimitExceededError, setRateLimitHeaders } from '../http.js';
import { RateLimiter } from '../rate-limiter.js';
import type { RateLimiterOptions } from '../rate-limiter.options.js';
import type { RateLimits } from '../subject.js';

// Nest responds to an HttpException with its own status and body, wherever it is thrown. The class cannot extend it where it
// stands: it serves applications without Nest, too.
Object.setPrototypeOf(RateLimitExceededError.prototype, HttpException.prototype);

/** The handler, or every handler of the controller, is not limited. */
export const SkipRateLimit = Reflector.createDecorator<undefined, true>({ transform: () => true });

/** Injects what a request consumes from: a {@link SubjectOf}, which gets the execution context where there is one. */
export const SUBJECT_OF = Symbol('rate limit: subject of a request');

/**
 * Limits a request by {@link SUBJECT_OF}: for the interceptor, and for a guard that limits what it refuses, as the port of
 * `@petstore/api-key` does.
 */
@Injectable()
export class RequestRateLimiter {
  constructor(
    @Inject(RateLimiter) private readonly limiter: RateLimiter,
    @Inject(SUBJECT_OF) private readonly subjectOf: SubjectOf<ExecutionContext>,
  ) {}

  /**
   * Lets the request consume, and sets the header fields of its response; `undefined` for one that is not limited.
   *
   * @throws RateLimitExceededError (as a rejection) when it is refused
   */
  consume(
    request: IncomingMessage,
    response: HeaderTarget,
    context?: ExecutionContext,
  ): Promise<void> | undefined {
    const subjects = this.subjectOf(request, context);
    return subjects && limitRequest(this.limiter, response, subjects);
  }

  /** Sets the header fields of a response to what this process knows, without counting. */
  peek(request: IncomingMessage, response: HeaderTarget): void {
    const subject = [this.subjectOf(request)].flat().at(-1);
    if (subject !== undefined) setRateLimitHeaders(response, this.limiter.peek(subject));
  }
}

/**
 * Each request consumes once, after the guards and before its handler: for one controller with
 * `@UseInterceptors(RateLimitInterceptor)`, for all as `APP_INTERCEPTOR`.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(
    private readonly limiter: RequestRateLimiter,
    private readonly reflector: Reflector,
  ) {}

  /**
   * Goes on to the handler.
   *
   * @throws RateLimitExceededError (as a rejection), which Nest responds to with 429, when the request is refused
   */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const targets = [context.getHandler(), context.getClass()];
    if (!this.reflector.getAllAndOverride<undefined, true | undefined>(SkipRateLimit, targets)) {
      const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
      await this.limiter.consume(request, response, context);
    }
    return next.handle();
  }
}

/** How the limiter of an application is set up. */
export interface RateLimitModuleOptions extends RateLimiterOptions {
  /** What a request consumes from; the client's address unless given. */
  readonly subjectOf?: SubjectOf<ExecutionContext> | undefined;
  /** What one client address may send: `DEFAULT_ADDRESS_LIMITS` unless given. */
  readonly addressLimits?: RateLimits | undefined;
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<RateLimitModuleOptions>({ moduleName: 'RateLimit' })
    .setClassMethodName('forRoot')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();

const inject = [MODULE_OPTIONS_TOKEN];

/**
 * One limiter for an application: `forRoot`, or `forRootAsync` with `imports`, `inject` and `useFactory`; with `isGlobal`
 * its providers need not be imported. It connects when the application starts, within a second and with or without
 * Redis, and closes its connections when the application has stopped.
 *
 * The limiter knows nothing of Nest, so that it serves without: hence the factory.
 */
@Module({
  providers: [
    {
      provide: RateLimiter,
      inject,
      useFactory: (options: RateLimitModuleOptions) => new RateLimiter(options),
    },
    {
      provide: SUBJECT_OF,
      inject,
      useFactory: ({ subjectOf, addressLimits }: RateLimitModuleOptions) =>
        subjectOf ?? byAddress(addressLimits),
    },
    RequestRateLimiter,
    RateLimitInterceptor,
  ],
  exports: [RateLimiter, SUBJECT_OF, RequestRateLimiter, RateLimitInterceptor],
})
export class RateLimitModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {
    super();
  }

  /** @throws Error on another adapter than Express': its responses have other methods */
  onModuleInit(): void {
    // An application context without a server has no adapter.
    const { httpAdapter } = this.host as { httpAdapter?: HttpAdapterHost['httpAdapter'] };
    const type = httpAdapter?.getType() ?? 'express';
    if (type !== 'express')
      throw new Error(
        `RateLimitModule works with Nest on Express, not on ${type}: there, register fastifyRateLimit ` +
          'of @petstore/rate-limit/fastify with the Fastify instance.',
      );
  }
}
