import { ConfigurableModuleBuilder, type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { ApiKeyAdministration } from '../administration/api-key-administration.js';
import { API_KEY_REPOSITORY, type ApiKeyRepository } from '../administration/api-key.repository.js';
import { ApiKeyCache } from '../cache/api-key-cache.js';
import { API_KEY_CACHE_BOUNDS } from '../cache/cache-bounds.js';
import { KEY_LOOKUP } from '../cache/key-lookup.js';
import { API_KEY_CLOCK, systemClock } from '../clock/clock.js';
import { API_KEY_EVENT_BUS, type ApiKeyEventBus } from '../events/api-key-event-bus.js';
import { ApiKeyEventDispatcher } from '../events/api-key-event-dispatcher.js';
import { API_KEY_FILTER_OPTIONS } from '../filter/api-key-filter.options.js';
import { ApiKeyFilter } from '../filter/api-key-filter.js';
import { API_KEY_HASH_SOURCE } from '../filter/api-key-hash.source.js';
import { API_KEY_REALM } from '../guard/api-key.guard.js';
import { ScopeRegistry } from '../scopes/scope-registry.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { KEY_USAGE_LOG } from '../usage/key-usage-log.js';
import { KeyUsageRecorder, RECORDER_OPTIONS } from '../usage/key-usage-recorder.js';
import { KEY_USAGE_STORE } from '../usage/key-usage.store.js';
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

function checkedPepper({ pepper }: ApiKeyModuleOptions): string {
  if (pepper.length >= SHORTEST_PEPPER) return pepper;
  throw new Error(`The pepper of ApiKeyModule must have at least ${SHORTEST_PEPPER} characters.`);
}

/** A provider that is one of the options, or made from them. */
function fromOptions<Value>(
  provide: symbol | (abstract new (...parts: never[]) => Value),
  useFactory: (options: ApiKeyModuleOptions) => Value,
): { provide: typeof provide; inject: [typeof MODULE_OPTIONS_TOKEN]; useFactory: typeof useFactory } {
  return { provide, inject: [MODULE_OPTIONS_TOKEN], useFactory };
}

const OPTIONS = [
  fromOptions(KEY_LOOKUP, ({ store }) => store.lookup),
  fromOptions(API_KEY_HASH_SOURCE, ({ store }) => store.hashes),
  fromOptions(KEY_USAGE_STORE, ({ store }) => store.usage),
  fromOptions(API_KEY_REPOSITORY, ({ store }) => store.repository),
  fromOptions(API_KEY_EVENT_BUS, ({ events }) => events),
  fromOptions(API_KEY_REALM, ({ realm }) => realm),
  fromOptions(API_KEY_CLOCK, ({ clock }) => clock ?? systemClock),
  fromOptions(API_KEY_CACHE_BOUNDS, ({ cache }) => cache),
  fromOptions(API_KEY_FILTER_OPTIONS, ({ filter, clock }) => ({ ...filter, ...(clock && { clock }) })),
  fromOptions(RECORDER_OPTIONS, ({ usage, clock }) => ({ ...usage, ...(clock && { clock }) })),
  fromOptions(ScopeRegistry, ({ scopes }) => scopes),
  fromOptions(SecretHasher, (options) => new SecretHasher(checkedPepper(options), options.previousPeppers)),
];

/**
 * API keys for an application: `ApiKeyModule.forRootAsync({ imports, inject, useFactory })`. `ApiKeyGuard` is not among its providers: it is made where it is registered, as `APP_GUARD` or with
 * `@UseGuards`, and finds its `AuthFailureLimiter` there.
 *
 * When `app.init()` has resolved, all hashes have been read and events arrive. At the end, after the last request,
 * the use of keys is written; modules that this one imports close after it. With `isGlobal` Nest starts it before and
 * closes it after all modules that are not global: then its store has to come from a global module, too.
 */
@Module({
  providers: [
    ...OPTIONS,
    ApiKeyFilter,
    ApiKeyCache,
    KeyUsageRecorder,
    { provide: KEY_USAGE_LOG, useExisting: KeyUsageRecorder },
    ApiKeyEventDispatcher,
    ScopeCheck,
    {
      provide: ApiKeyAdministration,
      inject: [API_KEY_REPOSITORY, SecretHasher, ScopeRegistry, MODULE_OPTIONS_TOKEN, API_KEY_EVENT_BUS],
      useFactory: (
        repository: ApiKeyRepository,
        hasher: SecretHasher,
        scopes: ScopeRegistry,
        { kind = 'live' }: ApiKeyModuleOptions,
        events: ApiKeyEventBus | undefined,
      ) => new ApiKeyAdministration({ repository, hasher, scopes, kind, events }),
    },
  ],
  exports: [
    ApiKeyAdministration,
    ApiKeyCache,
    ApiKeyEventDispatcher,
    ApiKeyFilter,
    API_KEY_REALM,
    API_KEY_REPOSITORY,
    KEY_USAGE_LOG,
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
