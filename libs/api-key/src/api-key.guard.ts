import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { type Access, ACCESS_METADATA } from './access.decorator.js';
import { ApiKeyRefused } from './api-key-refused.js';
import { attachCaller, type Caller } from './caller.js';
import { presentedKey } from './credential.js';
import type { KeyRing } from './key-ring.js';
import { KeyStoreUnavailable } from './key-store-unavailable.js';
import { KeyText } from './key-text.js';
import type { KeyUsageLog } from './key-usage-log.js';
import type { RefusalMeter } from './refusal-meter.js';
import { Slots } from './slots.js';

/**
 * Most keys being looked up at a time. A burst of made-up keys from one address gets at most this many
 * look-ups beyond what the address may send, because each is counted before its slot is free again.
 */
const LOOKUPS_AT_ONCE = 16;

/** Longest that a request waits for its turn to be looked up, in milliseconds: a store that hangs gets no queue. */
const PATIENCE = 2_000;

/**
 * Who is it? Asks every request for an API key (specification, section 5). Registered for the whole
 * application; a handler needs no mark to be protected, only to be open or to ask for a scope.
 *
 * Answers at once, without a promise, for a key that is remembered.
 *
 * Throws {@link ApiKeyRefused} (401, 403), {@link KeyStoreUnavailable} when a key that is not remembered cannot
 * be looked up, and what the {@link RefusalMeter} throws (429).
 */
export class ApiKeyGuard implements CanActivate {
  private readonly accesses = new WeakMap<object, WeakMap<object, Access | 'any-key'>>();
  private readonly slots = new Slots(LOOKUPS_AT_ONCE);

  constructor(
    private readonly keys: KeyRing,
    private readonly meter: RefusalMeter,
    private readonly usage: KeyUsageLog,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if (access === 'without-key') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const response = http.getResponse<ServerResponse>();
    const key = presentedKey(request);
    if (key === undefined) return this.refuse(request, response, ApiKeyRefused.missing());
    const known = this.keys.recall(key);
    if (known === 'refused') return this.refuse(request, response, ApiKeyRefused.invalid());
    if (known !== undefined) return this.admit(request, response, known, access);
    // Also where a mistyped key ends: it costs no look-up.
    if (!KeyText.isWellFormed(key)) return this.refuse(request, response, ApiKeyRefused.invalid());
    const asked = performance.now();
    return this.slots.run(() => this.lookUp(request, response, key, access, asked));
  }

  private async lookUp(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    access: Access | 'any-key',
    asked: number,
  ): Promise<boolean> {
    // While this request waited for its slot, another one may have brought the answer.
    let caller = this.keys.recall(key);
    if (caller === undefined) {
      // Throws, unless a unit came free just now.
      if (await this.meter.isExhausted(request, response))
        await this.meter.charge(request, response, undefined);
      if (performance.now() - asked > PATIENCE)
        throw new KeyStoreUnavailable('Keys are looked up too slowly.');
      caller = await this.keys.lookUp(key);
    }
    if (caller === undefined || caller === 'refused') {
      return this.refuse(request, response, ApiKeyRefused.invalid());
    }
    return this.admit(request, response, caller, access);
  }

  private admit(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    access: Access | 'any-key',
  ): boolean | Promise<boolean> {
    attachCaller(request, caller);
    this.usage.used(caller.keyId);
    if (access === 'any-key' || access === 'without-key' || caller.scopes.has(access)) return true;
    return this.refuse(request, response, ApiKeyRefused.lacking(access), caller);
  }

  private async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: ApiKeyRefused,
    caller?: Caller,
  ): Promise<never> {
    await this.meter.charge(request, response, caller);
    throw refusal;
  }

  /** What the handler asks for, else what its controller does. Remembered: asking costs more than the rest. */
  private accessOf(context: ExecutionContext): Access | 'any-key' {
    const controller = context.getClass();
    const handler = context.getHandler();
    let ofController = this.accesses.get(controller);
    if (ofController === undefined) this.accesses.set(controller, (ofController = new WeakMap()));
    let access = ofController.get(handler);
    if (access === undefined) {
      access = markOf(handler) ?? markOf(controller) ?? 'any-key';
      ofController.set(handler, access);
    }
    return access;
  }
}

/** Read as Nest's Reflector does, without loading @nestjs/core: the operator's tool, too, loads this library. */
function markOf(target: object): Access | undefined {
  return Reflect.getMetadata(ACCESS_METADATA, target) as Access | undefined;
}
