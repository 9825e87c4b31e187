export { readBearerToken } from './guard/read-bearer-token.js';
export { type Access, ACCESS_METADATA, RequiresScope, WithoutKey } from './guard/access.decorator.js';
export { ApiKey, type KeySecret, type KeySettings, type KeyState } from './key/api-key.js';
export {
  type AdministrationParts,
  ApiKeyAdministration,
  type ChangedKey,
  dayOf,
  DEFAULT_OVERLAP,
  type IssuedKey,
  type KeyUpdate,
  type NewKey,
} from './administration/api-key-administration.js';
export {
  ApiKeyFilter,
  type ApiKeyFilterOptions,
  type ApiKeyFilterSettings,
  type ApiKeyFilterStats,
  type KnownHashes,
} from './filter/api-key-filter.js';
export { HASH_PREFIX_LENGTH } from './filter/api-key-hash-set.js';
export type { ApiKeyHashSource, HashDelta, HashPage, HashPrefixes } from './filter/api-key-hash.source.js';
export { ApiKeyGuard } from './guard/api-key.guard.js';
export { ApiKeyRefusedError, type RefusalCode } from './guard/api-key-refused.error.js';
export type {
  ApiKeyRepository,
  KeyActivity,
  KeyChange,
  KeyDay,
  KeyOverview,
} from './administration/api-key.repository.js';
export type { AuditAction, AuditEntry } from './administration/audit-entry.js';
export { attachCaller, type Caller, callerOf } from './key/caller.js';
export { type Clock, systemClock } from './clock/clock.js';
export type { ApiKeyEventBus } from './events/api-key-event-bus.js';
export { KeyId } from './key/key-id.js';
export type { FoundKey, KeyLookup } from './cache/key-lookup.js';
export { ApiKeyEvent } from './events/api-key-event.js';
export { KeyPlan } from './key/key-plan.js';
export { DEFAULT_BOUNDS, ApiKeyCache, type ApiKeyCacheBounds } from './cache/api-key-cache.js';
export { KeyRuleError, UnknownKeyError } from './key/key-rule.error.js';
export { KeyStoreUnavailable } from './key/key-store-unavailable.error.js';
export { type KeyHint, type KeyKind, ApiKeyFormat } from './format/api-key-format.js';
export type { KeyUsageLog } from './usage/key-usage-log.js';
export {
  type KeyUsage,
  KeyUsageRecorder,
  type KeyUsageStore,
  type RecorderOptions,
} from './usage/key-usage-recorder.js';
export { PepperFileError, readOrCreatePepper } from './secrets/pepper-file.js';
export { type ApiKeyEventBusObserver, RedisApiKeyEventBus } from './events/redis-api-key-event.bus.js';
export type { AuthFailureLimiter } from './guard/auth-failure-limiter.js';
export { Scope } from './scopes/scope.js';
export { type KeyHash, SecretHasher } from './secrets/secret-hasher.js';
export { VisibleText } from './key/visible-text.js';
