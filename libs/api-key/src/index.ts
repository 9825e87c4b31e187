export {
  ApiKeyAdministration,
  type ChangedKey,
  type IssuedKey,
  type KeyReport,
  type NewKey,
} from './administration/api-key-administration.js';
export {
  ApiKeyRepository,
  type AuditEntry,
  type KeyChange,
  type KeyOverview,
} from './administration/api-key.repository.js';
export { ApiKeyCache, type ApiKeyCacheOptions, type FoundKey, KeyLookup } from './cache/api-key-cache.js';
export {
  ApiKeyEvent,
  ApiKeyEventBus,
  ApiKeyEventDispatcher,
  type ReceivedApiKeyEvent,
} from './events/api-key-event-bus.js';
export {
  type Access,
  ANY_KEY,
  ANY_SECRET_KEY,
  RequiresAccess,
  RequiresScope,
  WithAnySecretKey,
  WithoutKey,
} from './guard/access.decorator.js';
export { ApiKeyGuard, AuthFailureLimiter, IS_OPEN, type IsOpen } from './guard/api-key.guard.js';
export { API_KEY_REFUSALS, type ApiKeyRefusal, ApiKeyRefusedError } from './guard/api-key-refused.error.js';
export { attachCaller, Caller, callerOf, keyIdOfSubject, subjectIdOf } from './guard/caller.js';
export { ScopeInterceptor } from './guard/scope.interceptor.js';
export { ApiKey, KEY_STATES, type KeySecret, type KeyState } from './key/api-key.js';
export { KeyId } from './key/key-id.js';
export { KeyOrigins } from './key/key-origins.js';
export { KeyPlan } from './key/key-plan.js';
export {
  KeyRuleError,
  KeyStoreUnavailableError,
  UnknownKeyError,
  UnknownPlanError,
} from './key/key.errors.js';
export { VisibleText } from './key/visible-text.js';
export { ApiKeyModule, type ApiKeyModuleOptions, type ApiKeyStore } from './module/api-key.module.js';
export { definePlans, type PlanDefinition, PlanRegistry } from './plans/plan-registry.js';
export { defineScopes, Scope, ScopeRegistry } from './scopes/scope-registry.js';
export {
  type KeyHash,
  type KeyHint,
  type KeyKind,
  type KeyMode,
  KeySigner,
  kindOfKey,
  type PepperStatus,
  type SignedKey,
} from './secrets/key-signer.js';
export {
  type KeyDay,
  type KeyUsage,
  KeyUsageRecorder,
  KeyUsageStore,
  utcDay,
} from './usage/key-usage-recorder.js';
