import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeyCache } from '../cache/api-key-cache.js';
import { type KeyHash, KeySigner } from '../secrets/key-signer.js';
import { KeyUsageRecorder } from '../usage/key-usage-recorder.js';
import { accessOf, WITHOUT_KEY } from './access.decorator.js';
import { ApiKeyRefusedError } from './api-key-refused.error.js';
import { attachCaller, type Caller, readBearerToken } from './caller.js';

/** Injection token of the realm of challenges (RFC 9110, section 11.5). */
export const API_KEY_REALM = Symbol('realm');

/** Injection token of an {@link IsOpen}. */
export const IS_OPEN = Symbol('is open');

/** Whether a request needs no key, whatever its handler requires. */
export type IsOpen = (request: IncomingMessage) => boolean;

/**
 * Limits what the guard refuses, so that a flood of bad keys runs into a limit and its responses carry the limit
 * headers too. `RequestRateLimiter` of `@petstore/rate-limit/nest` stands behind this port.
 */
export abstract class AuthFailureLimiter {
  /**
   * Counts a refused request for its client's address, and puts the limit headers on its response.
   *
   * @throws whatever the limiter responds with when the limit is used up (429)
   */
  abstract consume(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined;

  /**
   * Puts the limit headers of the client's address on a response, counting nothing: for a request whose key
   * cannot be looked up.
   */
  abstract peek(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Requires an API key of every request (RFC 6750), unless its handler or {@link IS_OPEN} says otherwise. Returns
 * `true`, without a promise, for a cached key. Only refused requests are charged to the address, so that a key does not
 * depend on other clients at its address. A publishable key is accepted from pages of its sites only; elsewhere it uses
 * nothing of its plan.
 *
 * Throws {@link ApiKeyRefusedError} (401, 403), `KeyStoreUnavailableError` (503) when a key that is not cached cannot
 * be looked up, and what the {@link AuthFailureLimiter} throws (429). `ScopeInterceptor` requires the scope.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** Made once: each request of a flood gets one of them. */
  private readonly missingKey: ApiKeyRefusedError;
  private readonly invalidKey: ApiKeyRefusedError;
  private readonly foreignOrigin = ApiKeyRefusedError.foreignOrigin();

  /**
   * @param realm of the challenges in WWW-Authenticate, without quotation marks
   * @param limiter limits what is refused; without one nothing does
   * @param isOpen without it only handlers are open
   */
  constructor(
    private readonly reflector: Reflector,
    private readonly signer: KeySigner,
    private readonly keys: ApiKeyCache,
    private readonly usage: KeyUsageRecorder,
    @Inject(API_KEY_REALM) realm: string,
    @Optional() private readonly limiter?: AuthFailureLimiter,
    @Optional() @Inject(IS_OPEN) private readonly isOpen?: IsOpen,
  ) {
    this.missingKey = ApiKeyRefusedError.missing(realm);
    this.invalidKey = ApiKeyRefusedError.invalid(realm);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request] = context.getArgs<[IncomingMessage]>();
    if (accessOf(this.reflector, context) === WITHOUT_KEY || this.isOpen?.(request) === true) return true;
    const key = readBearerToken(request);
    if (key === undefined) return this.refuse(context, this.missingKey);
    // What is cached has had its MAC checked: looking here first saves most requests that arithmetic.
    const cached = this.keys.get(key);
    if (cached !== undefined) return this.accept(context, cached);
    // Made-up keys end here, without a look-up.
    const hash = this.signer.verify(key);
    return hash === undefined ? this.accept(context, 'refused') : this.lookUp(context, key, hash);
  }

  private async lookUp(context: ExecutionContext, key: string, hash: KeyHash): Promise<boolean> {
    let caller: Caller | undefined;
    try {
      caller = await this.keys.load(key, hash);
    } catch (error) {
      // The key may be revoked, so its limits are not shown: the response describes the limit of the address, uncharged.
      this.limiter?.peek(...context.getArgs<[IncomingMessage, ServerResponse]>());
      throw error;
    }
    return this.accept(context, caller ?? 'refused');
  }

  private accept(context: ExecutionContext, caller: Caller | 'refused'): boolean | Promise<boolean> {
    if (caller === 'refused') return this.refuse(context, this.invalidKey);
    const [request] = context.getArgs<[IncomingMessage]>();
    // Two fields arrive joined, which is the origin of no page.
    if (caller.origins?.allows(request.headers.origin ?? '') === false)
      return this.refuse(context, this.foreignOrigin);
    attachCaller(request, caller);
    this.usage.used(caller.keyId);
    return true;
  }

  private async refuse(context: ExecutionContext, refusal: ApiKeyRefusedError): Promise<never> {
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    await this.limiter?.consume(request, response);
    // Nest's own filter sets no header fields.
    if (!response.headersSent && refusal.challenge !== undefined)
      response.setHeader('WWW-Authenticate', refusal.challenge);
    throw refusal;
  }
}
