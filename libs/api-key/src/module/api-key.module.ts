import { ConfigurableModuleBuilder, type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { ApiKeyAdministration } from '../administration/api-key-administration.js';
import { ApiKeyRepository } from '../administration/api-key.repository.js';
import { ApiKeyCache } from '../cache/api-key-cache.js';
import { KeyLookup } from '../cache/key-lookup.js';
import { ApiKeyEventBus } from '../events/api-key-event-bus.js';
import { ApiKeyEventDispatcher } from '../events/api-key-event-dispatcher.js';
import { API_KEY_REALM } from '../guard/api-key.guard.js';
import { ScopeRegistry } from '../scopes/scope-registry.js';
import { KeySigner } from '../secrets/key-signer.js';
import { KeyUsageLog } from '../usage/key-usage-log.js';
import { KeyUsageRecorder } from '../usage/key-usage-recorder.js';
import { KeyUsageStore } from '../usage/key-usage.store.js';
import type { ApiKeyModuleOptions } from './api-key.options.js';
import { ScopeCheck } from './scope-check.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<ApiKeyModuleOptions>({
  moduleName: 'ApiKey',
})
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

/** Below this a pepper can be guessed, in characters. */
const SHORTEST_PEPPER = 16;

function createSigner({ pepper, previousPeppers }: ApiKeyModuleOptions): KeySigner {
  if (pepper.length >= SHORTEST_PEPPER) return new KeySigner(pepper, previousPeppers);
  throw new Error(`The pepper of ApiKeyModule must have at least ${SHORTEST_PEPPER} characters.`);
}

const inject = [MODULE_OPTIONS_TOKEN];
type Options = ApiKeyModuleOptions;

/**
 * API keys for an application: `ApiKeyModule.forRootAsync({ imports, inject, useFactory })`. `ApiKeyGuard` is not among
 * its providers: it is made where it is registered, as `APP_GUARD` or with `@UseGuards`, and finds its
 * `AuthFailureLimiter` there.
 *
 * When `app.init()` has resolved, events arrive. At the end, after the last request,
 * the use of keys is written; modules that this one imports close after it. With `isGlobal` Nest starts it before and
 * closes it after all modules that are not global: then its store has to come from a global module, too.
 */
@Module({
  providers: [
    { provide: KeyLookup, inject, useFactory: ({ store }: Options) => store.lookup },
    { provide: KeyUsageStore, inject, useFactory: ({ store }: Options) => store.usage },
    { provide: ApiKeyRepository, inject, useFactory: ({ store }: Options) => store.repository },
    { provide: ApiKeyEventBus, inject, useFactory: ({ events }: Options) => events },
    { provide: API_KEY_REALM, inject, useFactory: ({ realm }: Options) => realm },
    { provide: ScopeRegistry, inject, useFactory: ({ scopes }: Options) => scopes },
    { provide: KeySigner, inject, useFactory: createSigner },
    { provide: ApiKeyCache, inject: [KeyLookup], useFactory: (lookup: KeyLookup) => new ApiKeyCache(lookup) },
    {
      provide: KeyUsageRecorder,
      inject: [KeyUsageStore, ...inject],
      useFactory: (store: KeyUsageStore, { usage }: Options) => new KeyUsageRecorder(store, usage),
    },
    { provide: KeyUsageLog, useExisting: KeyUsageRecorder },
    ApiKeyEventDispatcher,
    ScopeCheck,
    {
      provide: ApiKeyAdministration,
      inject: [ApiKeyRepository, KeySigner, ...inject],
      useFactory: (
        repository: ApiKeyRepository,
        signer: KeySigner,
        { scopes, kind = 'live', events }: Options,
      ) => new ApiKeyAdministration({ repository, signer, scopes, kind, events }),
    },
  ],
  exports: [
    ApiKeyAdministration,
    ApiKeyCache,
    ApiKeyEventDispatcher,
    API_KEY_REALM,
    ApiKeyRepository,
    KeySigner,
    KeyUsageLog,
    KeyUsageRecorder,
    ScopeRegistry,
  ],
})
export class ApiKeyModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    private readonly keys: ApiKeyCache,
    private readonly dispatcher: ApiKeyEventDispatcher,
  ) {
    super();
  }

  static override forRoot(options: Parameters<typeof ConfigurableModuleClass.forRoot>[0]): DynamicModule {
    return withHandlers(super.forRoot(options));
  }

  static override forRootAsync(
    options: Parameters<typeof ConfigurableModuleClass.forRootAsync>[0],
  ): DynamicModule {
    return withHandlers(super.forRootAsync(options));
  }

  /** Listeners of other modules, too, are there before the first event: they are added by constructors. */
  async onModuleInit(): Promise<void> {
    this.dispatcher.listen(this.keys.invalidate);
    await this.dispatcher.start();
  }
}

function withHandlers(definition: DynamicModule): DynamicModule {
  const handlers = import('./route-handlers.module.js').then(({ RouteHandlersModule }) => ({
    module: RouteHandlersModule,
  }));
  return { ...definition, imports: [...(definition.imports ?? []), handlers] };
}
