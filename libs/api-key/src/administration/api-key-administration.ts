import type { RateLimits } from '@petstore/rate-limit';
import type { ApiKeyEvent, ApiKeyEventBus } from '../events/api-key-event-bus.js';
import { ApiKey, type KeySettings } from '../key/api-key.js';
import { KeyId } from '../key/key-id.js';
import { KeyOrigins } from '../key/key-origins.js';
import type { KeyPlan } from '../key/key-plan.js';
import { KeyRuleError, UnknownKeyError } from '../key/key.errors.js';
import type { PlanRegistry } from '../plans/plan-registry.js';
import type { Scope, ScopeRegistry } from '../scopes/scope-registry.js';
import type { KeyMode, KeySigner, PepperStatus } from '../secrets/key-signer.js';
import { DAY_MS, utcDay } from '../usage/key-usage-recorder.js';
import type { ApiKeyRepository, AuditEntry, KeyOverview } from './api-key.repository.js';

/** Settings of a key to create. */
export interface NewKey {
  readonly name: string;
  /** One of the registry's. */
  readonly plan: string;
  /** Only on a plan whose keys bring their own. */
  readonly limits?: Partial<RateLimits>;
  /** The registry's defaults unless given; each must be defined there. */
  readonly scopes?: readonly string[];
  /** Never unless given. */
  readonly expiresAt?: Date | undefined;
  /** Makes it a publishable key, which has the registry's scopes for these instead of `scopes`. */
  readonly origins?: readonly string[];
}

/**
 * Settings to change; omitted ones stay, also one of the two limits. Scopes are those of the registry or those that the
 * key already has. An `expiresAt` of `undefined` removes the expiry. A key stays of its kind.
 */
export type KeyUpdate = Partial<NewKey>;

/** A key after a change. */
export interface ChangedKey {
  readonly key: ApiKey;
  /** Whether every process was notified; otherwise each finds out within 8 seconds. */
  readonly announced: boolean;
}

/** A key with its new secret, which is kept nowhere: this is the only time it can be shown. */
export interface IssuedKey extends ChangedKey {
  readonly secret: string;
}

/** Dependencies of {@link ApiKeyAdministration}. */
export interface AdministrationParts {
  readonly repository: ApiKeyRepository;
  readonly signer: KeySigner;
  /** The scopes and plans that keys can be given. */
  readonly scopes: ScopeRegistry;
  readonly plans: PlanRegistry;
  /** Decides what keys begin with. */
  readonly mode: KeyMode;
  /** None in a process that caches no keys, and where no other does. */
  readonly events?: Pick<ApiKeyEventBus, 'publish'> | undefined;
  readonly now?: () => Date;
}

/** A key as operators see it. */
export interface KeyReport extends KeyOverview {
  /** The pepper that its secrets need: `previous` for a key that is refused once that pepper is removed. */
  readonly pepper: PepperStatus;
}

/**
 * Administration of keys by operators. A change and its audit entry are written in one transaction; then an event is
 * published. Methods reject with {@link KeyRuleError} when a rule is broken, {@link UnknownKeyError} for an unknown id,
 * and `KeyStoreUnavailableError`.
 */
export class ApiKeyAdministration {
  private readonly now: () => Date;

  constructor(private readonly parts: AdministrationParts) {
    this.now = parts.now ?? (() => new Date());
  }

  async create({ name, plan, limits, scopes, expiresAt, origins }: NewKey, by: string): Promise<IssuedKey> {
    const { repository, signer, mode, scopes: registry, plans } = this.parts;
    if (origins !== undefined && scopes !== undefined)
      throw new KeyRuleError(
        `A publishable key has ${registry.publishable.join(' and ')} and no other scope.`,
      );
    const now = this.now();
    const { text, ...secret } = signer.issue(mode, origins && 'publishable');
    const settings = {
      name,
      plan: plans.of(plan, limits),
      scopes: scopes ? this.definedScopes(scopes) : origins ? registry.publishable : registry.defaults,
      expiresAt,
      origins: origins && KeyOrigins.parse(origins),
    };
    const key = ApiKey.issue(KeyId.generate(), settings, secret, now);
    const details = describeSettings(key.settings);
    await repository.add({ key, entry: { keyId: key.id, at: now, action: 'created', by, details } });
    return { key, secret: text, announced: await this.announce('changed', key.id) };
  }

  update(
    id: KeyId,
    { plan, limits, scopes, origins, ...others }: KeyUpdate,
    by: string,
  ): Promise<ChangedKey> {
    return this.change(id, by, 'updated', (key, now) => {
      const { settings } = key;
      const changes = {
        ...others,
        ...((plan ?? limits) !== undefined && { plan: this.planAfter(settings.plan, plan, limits) }),
        ...(scopes && { scopes: this.definedScopes(scopes, settings.scopes) }),
        ...(origins && { origins: KeyOrigins.parse(origins) }),
      };
      const next = key.update(changes, now);
      const details = describeChange(settings, next.settings);
      return Object.keys(details).length === 0 ? undefined : { key: next, details };
    });
  }

  /** @param overlap milliseconds for which the old secret lives on; 0 for not at all */
  async rotate(id: KeyId, overlap: number, by: string): Promise<IssuedKey> {
    const { signer, mode } = this.parts;
    let issued = '';
    const changed = await this.change(id, by, 'rotated', (key, now) => {
      const { text, ...secret } = signer.issue(mode, key.kind);
      issued = text;
      const next = key.rotate(secret, overlap, now);
      const end = new Date(now.getTime() + overlap).toISOString();
      return { key: next, details: { 'old secret valid until': end } };
    });
    return { ...changed, secret: issued };
  }

  /** Revoking a revoked key changes nothing. */
  revoke(id: KeyId, by: string): Promise<ChangedKey> {
    return this.change(id, by, 'revoked', (key, now) => {
      const next = key.revoke(now);
      return next === key ? undefined : { key: next, details: {} };
    });
  }

  /** Records that a ban was lifted, and notifies the processes that keep bans in their memory. */
  unban(id: KeyId, by: string): Promise<ChangedKey> {
    return this.change(id, by, 'unbanned', (key) => ({ key, details: {} }));
  }

  /** Every key with its use today (UTC), and the pepper that it needs. */
  async list(): Promise<readonly KeyReport[]> {
    const overviews = await this.parts.repository.list(utcDay(this.now()));
    return overviews.map((overview) => this.toReport(overview));
  }

  /** One key with its use in the last seven days and every change of it. */
  async show(id: KeyId): Promise<{ overview: KeyReport; audit: readonly AuditEntry[] }> {
    const since = utcDay(new Date(this.now().getTime() - 6 * DAY_MS));
    const overview = await this.parts.repository.find(id, since);
    if (overview === undefined) throw new UnknownKeyError(id);
    return { overview: this.toReport(overview), audit: await this.parts.repository.auditOf(id) };
  }

  /** Whether no key was ever made. */
  isEmpty(): Promise<boolean> {
    return this.parts.repository.isEmpty();
  }

  /** Whether no key in the store was issued under an accepted pepper, so that each of them is refused. */
  hasOnlyUnknownPeppers(): Promise<boolean> {
    return this.parts.repository.hasOnlyUnknownPeppers(this.parts.signer.pepperIds);
  }

  /** Whether a secret is accepted that begins otherwise than those that are issued here. */
  hasKeyOfOtherMode(): Promise<boolean> {
    return this.parts.repository.hasKeyOfMode(this.parts.mode === 'live' ? 'test' : 'live');
  }

  private async change(
    id: KeyId,
    by: string,
    action: AuditEntry['action'],
    decide: (key: ApiKey, now: Date) => (Pick<AuditEntry, 'details'> & { readonly key: ApiKey }) | undefined,
  ): Promise<ChangedKey> {
    const key = await this.parts.repository.change(id, (current) => {
      const at = this.now();
      const decision = decide(current, at);
      if (decision === undefined) return undefined;
      return { key: decision.key, entry: { keyId: id, at, action, by, details: decision.details } };
    });
    return { key, announced: await this.announce(action === 'unbanned' ? action : 'changed', id) };
  }

  /** Omitted limits stay while the key stays on plans whose keys bring their own. */
  private planAfter(before: KeyPlan, name = before.name, limits: Partial<RateLimits> = {}): KeyPlan {
    const { plans } = this.parts;
    const stays = plans.find(name) === 'own' && plans.find(before.name) === 'own';
    return plans.of(name, { ...(stays && plans.limitsOf(before)), ...limits });
  }

  /** Typed scopes, if each is defined or among `kept`: scopes of another version of the service stay. */
  private definedScopes(names: readonly string[], kept: readonly Scope[] = []): readonly Scope[] {
    const { scopes } = this.parts;
    return names.map((name) => {
      const scope = scopes.find(name) ?? kept.find((one) => one === name);
      if (scope !== undefined) return scope;
      const known = scopes.all.join(', ');
      throw new KeyRuleError(`There is no scope ${JSON.stringify(name)}. There are: ${known}.`);
    });
  }

  /** Of several secrets, the one whose pepper goes first decides. */
  private toReport(overview: KeyOverview): KeyReport {
    const accepted = overview.key.secretsAt(this.now());
    const statuses = accepted.map(({ pepperId }) => this.parts.signer.statusOf(pepperId));
    const pepper = (['unknown', 'previous'] as const).find((status) => statuses.includes(status));
    return { ...overview, pepper: pepper ?? 'current' };
  }

  private async announce(kind: ApiKeyEvent['kind'], keyId: KeyId): Promise<boolean> {
    try {
      await this.parts.events?.publish({ kind, keyId });
      return this.parts.events !== undefined;
    } catch {
      // The change is made; only its event is late.
      return false;
    }
  }
}

/** The settings in words, as the audit shows them. */
function describeSettings({ name, plan, scopes, expiresAt, origins }: KeySettings): Record<string, string> {
  return {
    name,
    plan:
      plan.perMinute === undefined ? plan.name : `${plan.name} (${plan.perMinute}/min, ${plan.perDay}/day)`,
    scopes: scopes.join(','),
    expires: expiresAt?.toISOString() ?? 'never',
    ...(origins && { origins: origins.entries.join(',') }),
  };
}

/** What is different in the settings: `before -> after` for each that changed. */
function describeChange(before: KeySettings, after: KeySettings): Record<string, string> {
  const old = describeSettings(before);
  const changed = Object.entries(describeSettings(after)).filter(([field, value]) => old[field] !== value);
  return Object.fromEntries(changed.map(([field, value]) => [field, `${old[field] ?? ''} -> ${value}`]));
}
