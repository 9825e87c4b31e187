import { ConfigurableModuleBuilder, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ApiKeyAdministration } from '../administration/api-key-administration.js';
import { ApiKeyRepository } from '../administration/api-key.repository.js';
import { ApiKeyCache, type ApiKeyCacheOptions, KeyLookup } from '../cache/api-key-cache.js';
import { type ApiKeyEventBus, ApiKeyEventDispatcher } from '../events/api-key-event-bus.js';
import { RequiresAccess } from '../guard/access.decorator.js';
import { API_KEY_REALM } from '../guard/api-key.guard.js';
import { ScopeInterceptor } from '../guard/scope.interceptor.js';
import { PlanRegistry } from '../plans/plan-registry.js';
import { ScopeRegistry } from '../scopes/scope-registry.js';
import { type KeyMode, KeySigner } from '../secrets/key-signer.js';
import { KeyUsageRecorder, KeyUsageStore, type RecorderOptions } from '../usage/key-usage-recorder.js';

/** Where keys and their use are kept. For tests there is `InMemoryApiKeyStore`. */
export interface ApiKeyStore {
  readonly lookup: KeyLookup;
  readonly usage: KeyUsageStore;
  readonly repository: ApiKeyRepository;
}

/** What `ApiKeyModule` works with. */
export interface ApiKeyModuleOptions {
  readonly store: ApiKeyStore;
  /** Secret with which keys are signed and hashed: at least 16 characters, the same in every process that shares the store. */
  readonly pepper: string;
  /** Keys that were issued under these are accepted while they are given. */
  readonly previousPeppers?: readonly string[] | undefined;
  /** Every scope that a handler may require and a key may be given. */
  readonly scopes: ScopeRegistry;
  /** Every plan that a key can be on. A key on another one, of another version of the service, gets 503. */
  readonly plans: PlanRegistry;
  /** A key is on a plan that is not defined: once for each plan, for a log line. */
  readonly onUnknownPlan?: ApiKeyCacheOptions['onUnknownPlan'];
  /** What generated keys begin with; `live` unless given. */
  readonly mode?: KeyMode | undefined;
  /**
   * Notifies the other processes of changes; whoever makes it closes it. Without one they notice a change within 8 seconds.
   * The process that makes the change notices at once.
   */
  readonly events?: ApiKeyEventBus | undefined;
  /** Of the challenges in WWW-Authenticate (RFC 9110, section 11.5); `api` unless given. */
  readonly realm?: string | undefined;
  readonly usage?: RecorderOptions | undefined;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<ApiKeyModuleOptions>({
  moduleName: 'ApiKey',
})
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

/** Minimum length of a pepper, in characters: shorter ones can be guessed. */
const SHORTEST_PEPPER = 16;

function createSigner({ pepper, previousPeppers }: ApiKeyModuleOptions): KeySigner {
  if (pepper.length >= SHORTEST_PEPPER) return new KeySigner(pepper, previousPeppers);
  throw new Error(`The pepper of ApiKeyModule must have at least ${SHORTEST_PEPPER} characters.`);
}

const inject = [MODULE_OPTIONS_TOKEN];
type Options = ApiKeyModuleOptions;

/**
 * API keys for an application: `ApiKeyModule.forRootAsync({ imports, inject, useFactory })`. `ApiKeyGuard` and
 * `ScopeInterceptor` are not among its providers: they are made where they are registered, as `APP_GUARD` and
 * `APP_INTERCEPTOR`, in the order that the application wants. The guard finds its `AuthFailureLimiter` there.
 *
 * When `app.init()` has resolved, events arrive. At the end, after the last request,
 * the use of keys is written; modules that this one imports close after it. With `isGlobal` Nest starts it before and
 * closes it after all modules that are not global: then its store has to come from a global module, too.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: KeyLookup, inject, useFactory: ({ store }: Options) => store.lookup },
    { provide: KeyUsageStore, inject, useFactory: ({ store }: Options) => store.usage },
    { provide: ApiKeyRepository, inject, useFactory: ({ store }: Options) => store.repository },
    { provide: API_KEY_REALM, inject, useFactory: ({ realm = 'api' }: Options) => realm },
    { provide: ScopeRegistry, inject, useFactory: ({ scopes }: Options) => scopes },
    { provide: KeySigner, inject, useFactory: createSigner },
    { provide: PlanRegistry, inject, useFactory: ({ plans }: Options) => plans },
    {
      provide: ApiKeyCache,
      inject: [KeyLookup, ...inject],
      useFactory: (lookup: KeyLookup, { plans, onUnknownPlan }: Options) =>
        new ApiKeyCache(lookup, plans, { onUnknownPlan }),
    },
    {
      provide: KeyUsageRecorder,
      inject: [KeyUsageStore, ...inject],
      useFactory: (store: KeyUsageStore, { usage }: Options) => new KeyUsageRecorder(store, usage),
    },
    {
      provide: ApiKeyEventDispatcher,
      inject,
      useFactory: ({ events }: Options) => new ApiKeyEventDispatcher(events),
    },
    {
      provide: ApiKeyAdministration,
      inject: [ApiKeyRepository, KeySigner, ApiKeyEventDispatcher, ...inject],
      useFactory: (
        repository: ApiKeyRepository,
        signer: KeySigner,
        events: ApiKeyEventDispatcher,
        { scopes, plans, mode = 'live' }: Options,
      ) => new ApiKeyAdministration({ repository, signer, scopes, plans, mode, events }),
    },
  ],
  exports: [
    ApiKeyAdministration,
    ApiKeyCache,
    ApiKeyEventDispatcher,
    API_KEY_REALM,
    ApiKeyRepository,
    KeySigner,
    KeyUsageRecorder,
    PlanRegistry,
    ScopeRegistry,
  ],
})
export class ApiKeyModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    private readonly keys: ApiKeyCache,
    private readonly dispatcher: ApiKeyEventDispatcher,
    private readonly scopes: ScopeRegistry,
    private readonly discovery: DiscoveryService,
  ) {
    super();
  }

  /** Other modules add their listeners in constructors, so that none misses an event. */
  async onModuleInit(): Promise<void> {
    checkScopes(this.discovery, this.scopes);
    this.dispatcher.listen(this.keys.invalidate);
    await this.dispatcher.start();
  }
}

/**
 * Refuses to start an application whose handlers require scopes that nothing defines: no key could ever have them; or
 * where nothing would require them.
 *
 * @throws Error that names the first such handler
 */
function checkScopes(discovery: DiscoveryService, scopes: ScopeRegistry): void {
  const [scanner, reflector] = [new MetadataScanner(), new Reflector()];
  const isChecked = discovery.getProviders().some(({ instance }) => instance instanceof ScopeInterceptor);
  for (const { metatype: controller } of discovery.getControllers()) {
    if (controller === null) continue;
    const prototype = controller.prototype as Record<string, () => unknown>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      for (const target of [controller, prototype[method]]) {
        const access = target && reflector.get(RequiresAccess, target);
        if (typeof access !== 'string') continue;
        if (!isChecked)
          throw new Error(`${controller.name}.${method} requires a scope: provide ScopeInterceptor.`);
        if (scopes.find(access) !== undefined) continue;
        throw new Error(
          `${controller.name}.${method} requires the scope ${access}, which is not among the scopes given to ` +
            `ApiKeyModule: ${scopes.all.join(', ') || 'none'}.`,
        );
      }
    }
  }
}
