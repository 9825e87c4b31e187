import type { ApiKeyRepository } from '../administration/api-key.repository.js';
import type { KeyLookup } from '../cache/key-lookup.js';
import type { ApiKeyEventBus } from '../events/api-key-event-bus.js';
import type { KeyKind } from '../format/api-key-format.js';
import type { ScopeRegistry } from '../scopes/scope-registry.js';
import type { RecorderOptions } from '../usage/key-usage-recorder.js';
import type { KeyUsageStore } from '../usage/key-usage.store.js';

/** Where keys and their use are kept. `InMemoryApiKeyStore` is one. */
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
  /** What older keys were issued under: these are accepted for as long as it is given. */
  readonly previousPeppers?: readonly string[] | undefined;
  /** Every scope that a handler may require and a key may be given. */
  readonly scopes: ScopeRegistry;
  /** What generated keys begin with; `live` unless said. */
  readonly kind?: KeyKind | undefined;
  /**
   * Notifies the other processes of changes; closed with the application. Without one each process notices a change
   * within 8 seconds.
   */
  readonly events?: ApiKeyEventBus | undefined;
  /** Of the challenges in WWW-Authenticate (RFC 9110, section 11.5); `api` unless said. */
  readonly realm?: string | undefined;
  readonly usage?: RecorderOptions | undefined;
}
