export { presentedKey } from './credential.js';
export { type Access, ACCESS_METADATA, RequiresScope, WithoutKey } from './access.decorator.js';
export { ApiKey, type KeySecret, type KeySettings, type KeyState } from './api-key.js';
export {
  type AdministrationParts,
  ApiKeyAdministration,
  type ChangedKey,
  dayOf,
  DEFAULT_OVERLAP,
  type IssuedKey,
  type KeyUpdate,
  type NewKey,
} from './api-key-administration.js';
export {
  ApiKeyFilter,
  type ApiKeyFilterOptions,
  type ApiKeyFilterSettings,
  type ApiKeyFilterStats,
  type KnownHashes,
} from './api-key-filter.js';
export { HASH_PREFIX_LENGTH } from './api-key-hash-set.js';
export type { ApiKeyHashSource, HashDelta, HashPage, HashPrefixes } from './api-key-hash-source.js';
export { ApiKeyGuard } from './api-key.guard.js';
export { ApiKeyRefused, type RefusalCode } from './api-key-refused.js';
export type { ApiKeyRepository, KeyActivity, KeyChange, KeyDay, KeyOverview } from './api-key-repository.js';
export type { AuditAction, AuditEntry } from './audit-entry.js';
export { attachCaller, type Caller, callerOf } from './caller.js';
export { type Clock, systemClock } from './clock.js';
export type { KeyChangeFeed } from './key-change-feed.js';
export { KeyId } from './key-id.js';
export type { FoundKey, KeyLookup } from './key-lookup.js';
export { KeyNews } from './key-news.js';
export { KeyPlan } from './key-plan.js';
export { DEFAULT_BOUNDS, KeyRing, type KeyRingBounds } from './key-ring.js';
export { KeyRuleBroken, UnknownKey } from './key-rule-broken.js';
export { KeyStoreUnavailable } from './key-store-unavailable.js';
export { type KeyHint, type KeyKind, KeyText } from './key-text.js';
export type { KeyUsageLog } from './key-usage-log.js';
export {
  type KeyUsage,
  KeyUsageRecorder,
  type KeyUsageStore,
  type RecorderOptions,
} from './key-usage-recorder.js';
export { PepperFileError, readOrCreatePepper } from './pepper-file.js';
export { type KeyChangeFeedObserver, RedisKeyChangeFeed } from './redis-key-change-feed.js';
export type { RefusalMeter } from './refusal-meter.js';
export { Scope } from './scope.js';
export { type KeyHash, SecretHasher } from './secret-hasher.js';
export { VisibleText } from './visible-text.js';
