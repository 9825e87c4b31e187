import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import {
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  Optional,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeyCache } from '../cache/api-key-cache.js';
import { Scope } from '../scopes/scope-registry.js';
import { type KeyHash, KeySigner } from '../secrets/key-signer.js';
import { KeyUsageRecorder } from '../usage/key-usage-recorder.js';
import { ApiKeyRefusedError } from './api-key-refused.error.js';
import { attachCaller, type Caller, readBearerToken } from './caller.js';

/** The handler is open to everybody. A symbol, because any text may be a scope. */
const WITHOUT_KEY = Symbol('without key');

/** The handler needs an accepted key, whatever its scopes. */
export const ANY_KEY = Symbol('any key');

/** The handler needs an accepted key that is secret, whatever its scopes. */
export const ANY_SECRET_KEY = Symbol('any secret key');

/** What a handler requires of a request's key. Without any mark: {@link ANY_KEY}. */
export type Access = typeof WITHOUT_KEY | typeof ANY_KEY | typeof ANY_SECRET_KEY | Scope;

/** Where the guard finds the {@link Access} of a handler or a controller. */
export const ACCESS_METADATA = 'petstore:access';

/**
 * The handler needs a key that has the scope; otherwise the response is 403 `insufficient_scope`. `ApiKeyModule`
 * refuses to start when no feature defines the scope.
 *
 * @throws Error when the text is no scope
 */
export function RequiresScope(name: string): CustomDecorator {
  const scope = Scope.parse(name);
  if (scope === undefined) throw new Error(`"${name}" is no name of a scope.`);
  return SetMetadata(ACCESS_METADATA, scope);
}

/** The handler needs an accepted key, whatever its scopes: the default, stated explicitly. */
export const WithAnyKey = (): CustomDecorator => SetMetadata(ACCESS_METADATA, ANY_KEY);

/** The handler needs an accepted key that is secret: publishable ones get 403 `insufficient_scope`. */
export const WithAnySecretKey = (): CustomDecorator => SetMetadata(ACCESS_METADATA, ANY_SECRET_KEY);

/** The handler, or every handler of the controller, is open to everybody: the guard lets all requests pass. */
export const WithoutKey = (): CustomDecorator => SetMetadata(ACCESS_METADATA, WITHOUT_KEY);

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
   * Counts a refused request and puts the limit headers on its response: for its key when that lacks a scope (`callerOf`),
   * for the client's address when it has no accepted key.
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
 * be looked up, and what the {@link AuthFailureLimiter} throws (429).
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
    @Inject(API_KEY_REALM) private readonly realm: string,
    @Optional() private readonly limiter?: AuthFailureLimiter,
    @Optional() @Inject(IS_OPEN) private readonly isOpen?: IsOpen,
  ) {
    this.missingKey = ApiKeyRefusedError.missing(realm);
    this.invalidKey = ApiKeyRefusedError.invalid(realm);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request] = context.getArgs<[IncomingMessage]>();
    const access = this.accessOf(context);
    if (access === WITHOUT_KEY || this.isOpen?.(request) === true) return true;
    const key = readBearerToken(request);
    if (key === undefined) return this.refuse(context, this.missingKey);
    // What is cached has had its MAC checked: looking here first saves most requests that arithmetic.
    const cached = this.keys.get(key);
    if (cached !== undefined) return this.authorize(context, access, cached);
    // Made-up keys end here, without a look-up.
    const hash = this.signer.verify(key);
    return hash === undefined
      ? this.authorize(context, access, 'refused')
      : this.lookUp(context, access, key, hash);
  }

  private accessOf(context: ExecutionContext): Access {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<Access | undefined>(ACCESS_METADATA, targets) ?? ANY_KEY;
  }

  private async lookUp(
    context: ExecutionContext,
    access: Access,
    key: string,
    hash: KeyHash,
  ): Promise<boolean> {
    let caller: Caller | undefined;
    try {
      caller = await this.keys.load(key, hash);
    } catch (error) {
      // The key may be revoked, so its limits are not shown: the response describes the limit of the address, uncharged.
      this.limiter?.peek(...context.getArgs<[IncomingMessage, ServerResponse]>());
      throw error;
    }
    return this.authorize(context, access, caller ?? 'refused');
  }

  private authorize(
    context: ExecutionContext,
    access: Access,
    caller: Caller | 'refused',
  ): boolean | Promise<boolean> {
    if (caller === 'refused') return this.refuse(context, this.invalidKey);
    const [request] = context.getArgs<[IncomingMessage]>();
    // Two fields arrive joined, which is the origin of no page.
    if (caller.origins?.allows(request.headers.origin ?? '') === false)
      return this.refuse(context, this.foreignOrigin);
    attachCaller(request, caller);
    this.usage.used(caller.keyId);
    if (mayCall(access, caller)) return true;
    const scope = typeof access === 'string' ? access : undefined;
    return this.refuse(context, ApiKeyRefusedError.lacking(scope, this.realm));
  }

  private async refuse(context: ExecutionContext, refusal: ApiKeyRefusedError): Promise<never> {
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    // Requests that arrived together are refused together: a response of its own for each of a flood, which wakes its
    // client each time, costs a quarter more.
    await setImmediate();
    await this.limiter?.consume(request, response);
    // Nest's own filter sets no header fields.
    if (!response.headersSent && refusal.challenge !== undefined)
      response.setHeader('WWW-Authenticate', refusal.challenge);
    throw refusal;
  }
}

/** Whether a handler that requires `access` is open to the caller. */
function mayCall(access: Access, { origins, scopes }: Caller): boolean {
  if (access === ANY_SECRET_KEY) return origins === undefined;
  return access === ANY_KEY || scopes.has(access as Scope);
}
