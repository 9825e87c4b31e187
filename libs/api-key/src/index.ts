export { ApiKeyAdministration, type KeyReport } from './administration/api-key-administration.js';
export { ApiKeyRepository, type KeyChange, type KeyOverview } from './administration/api-key.repository.js';
export type { AuditAction, AuditEntry } from './administration/audit-entry.js';
export type { ChangedKey, IssuedKey, NewKey } from './administration/key-change.js';
export { ApiKeyCache, type Clock, systemClock } from './cache/api-key-cache.js';
export { type FoundKey, KeyLookup } from './cache/key-lookup.js';
export { ApiKeyEventBus } from './events/api-key-event-bus.js';
export { ApiKeyEventDispatcher } from './events/api-key-event-dispatcher.js';
export { ApiKeyEvent } from './events/api-key-event.js';
export { type ApiKeyEventBusObserver, RedisApiKeyEventBus } from './events/redis-api-key-event-bus.js';
export { ApiKeyFormat, type KeyHint, type KeyKind } from './format/api-key-format.js';
export {
  type Access,
  ACCESS_METADATA,
  ANY_KEY,
  RequiresScope,
  WithAnyKey,
  WithoutKey,
} from './guard/access.decorator.js';
export { ApiKeyRefusedError, type RefusalCode } from './guard/api-key-refused.error.js';
export { ApiKeyGuard } from './guard/api-key.guard.js';
export { AuthFailureLimiter } from './guard/auth-failure-limiter.js';
export { readBearerToken } from './guard/read-bearer-token.js';
export { callerOf } from './guard/request-caller.js';
export { ApiKey, type KeySecret, type KeyState } from './key/api-key.js';
export type { Caller } from './key/caller.js';
export { KeyId } from './key/key-id.js';
export { KeyPlan } from './key/key-plan.js';
export { keyIdOfSubject, subjectIdOf } from './key/key-subject.js';
export { KeyRuleError, UnknownKeyError } from './key/key-rule.error.js';
export { KeyStoreUnavailableError } from './key/key-store-unavailable.error.js';
export { VisibleText } from './key/visible-text.js';
export { ApiKeyModule } from './module/api-key.module.js';
export type { ApiKeyModuleOptions, ApiKeyStore } from './module/api-key.options.js';
export { Scope } from './scopes/scope.js';
export { defineScopes, type ScopeDefinitions, ScopeRegistry } from './scopes/scope-registry.js';
export { KeySigner, type PepperStatus, type SignedKey } from './secrets/key-signer.js';
export type { KeyHash } from './secrets/pepper.js';
export { HISTORY_DAYS, type KeyDay, type KeyHistory, KeyUsageHistory } from './usage/key-usage-history.js';
export { KeyUsageLog } from './usage/key-usage-log.js';
export { KeyUsageRecorder } from './usage/key-usage-recorder.js';
export { type KeyUsage, KeyUsageStore } from './usage/key-usage.store.js';
export { utcDay } from './usage/utc-day.js';
