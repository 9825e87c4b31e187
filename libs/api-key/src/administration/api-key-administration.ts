import type { PlanLimits } from '@petstore/rate-limit';
import { ApiKey, type KeySecret, type KeySettings } from '../key/api-key.js';
import type { ApiKeyRepository, KeyChange, KeyOverview } from './api-key.repository.js';
import { type AuditEntry, describeChange, describeSettings } from './audit-entry.js';
import type { ApiKeyEventBus } from '../events/api-key-event-bus.js';
import { KeyId } from '../key/key-id.js';
import type { ApiKeyEvent } from '../events/api-key-event.js';
import { KeyPlan } from '../key/key-plan.js';
import { KeyRuleError, UnknownKeyError } from '../key/key-rule.error.js';
import { type KeyKind, ApiKeyFormat } from '../format/api-key-format.js';
import type { Scope } from '../scopes/scope.js';
import type { ScopeRegistry } from '../scopes/scope-registry.js';
import type { KeySigner, PepperStatus, SignedKey } from '../secrets/key-signer.js';
import { DAY_MS, utcDay } from '../usage/utc-day.js';
import type { ChangedKey, IssuedKey, KeyUpdate, NewKey } from './key-change.js';

/** What the administration is put together from. */
export interface AdministrationParts {
  readonly repository: ApiKeyRepository;
  readonly signer: KeySigner;
  /** The scopes that keys can be given. */
  readonly scopes: ScopeRegistry;
  /** What keys begin with. */
  readonly kind: KeyKind;
  /** Left out where there are no other processes. */
  readonly events?: ApiKeyEventBus | undefined;
  readonly now?: () => Date;
}

/** A key as operators see it. */
export interface KeyReport extends KeyOverview {
  /** The pepper that its secrets need: `previous` for a key that is refused once that pepper is removed. */
  readonly pepper: PepperStatus;
}

/**
 * What operators do with keys. Every change is kept together with its audit entry, then announced.
 *
 * Every method rejects with {@link KeyRuleError} for what is against the rules, {@link UnknownKeyError} where
 * an id is given that no key has, and `KeyStoreUnavailableError`.
 */
export class ApiKeyAdministration {
  private readonly now: () => Date;

  constructor(private readonly parts: AdministrationParts) {
    this.now = parts.now ?? (() => new Date());
  }

  async create(wanted: NewKey, by: string): Promise<IssuedKey> {
    const now = this.now();
    const signed = this.parts.signer.issue(this.parts.kind);
    const settings: KeySettings = {
      name: wanted.name,
      plan: KeyPlan.of(wanted.plan, wanted.limits),
      scopes: this.definedScopes(wanted.scopes) ?? this.parts.scopes.defaults,
      expiresAt: wanted.expiresAt,
    };
    const key = ApiKey.issue(KeyId.generate(), settings, toSecret(signed, now), now);
    const entry: AuditEntry = {
      keyId: key.id,
      at: now,
      action: 'created',
      by,
      details: describeSettings(key.settings),
    };
    await this.parts.repository.add({ key, entry });
    return { key, secret: signed.text, announced: await this.announce({ kind: 'changed', keyId: key.id }) };
  }

  async update(id: KeyId, wanted: KeyUpdate, by: string): Promise<ChangedKey> {
    return this.change(id, by, 'updated', (key, now) => {
      const { plan, limits, scopes: names, ...others } = wanted;
      const scopes = this.definedScopes(names, key.settings.scopes);
      const rest = { ...others, ...(scopes && { scopes }) };
      const next = key.update(
        plan === undefined && limits === undefined
          ? rest
          : { ...rest, plan: planAfter(key.settings.plan, plan, limits) },
        now,
      );
      const details = describeChange(key.settings, next.settings);
      return Object.keys(details).length === 0 ? undefined : { key: next, details };
    });
  }

  /** @param overlap milliseconds for which the old secret lives on; 0 for not at all */
  async rotate(id: KeyId, overlap: number, by: string): Promise<IssuedKey> {
    const signed = this.parts.signer.issue(this.parts.kind);
    const changed = await this.change(id, by, 'rotated', (key, now) => {
      const next = key.rotate(toSecret(signed, now), overlap, now);
      return {
        key: next,
        details: { 'old secret valid until': new Date(now.getTime() + overlap).toISOString() },
      };
    });
    return { ...changed, secret: signed.text };
  }

  /** Revoking a revoked key changes nothing. */
  async revoke(id: KeyId, by: string): Promise<ChangedKey> {
    return this.change(id, by, 'revoked', (key, now) => {
      const next = key.revoke(now);
      return next === key ? undefined : { key: next, details: {} };
    });
  }

  /** Records that a ban was lifted, and notifies the processes that keep bans in their memory. */
  async unban(id: KeyId, by: string): Promise<ChangedKey> {
    const changed = await this.change(id, by, 'unbanned', (key) => ({ key, details: {} }));
    return { ...changed, announced: await this.announce({ kind: 'unbanned', keyId: id }) };
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
  async isEmpty(): Promise<boolean> {
    return this.parts.repository.isEmpty();
  }

  private async change(
    id: KeyId,
    by: string,
    action: AuditEntry['action'],
    decide: (
      key: ApiKey,
      now: Date,
    ) => { readonly key: ApiKey; readonly details: AuditEntry['details'] } | undefined,
  ): Promise<ChangedKey> {
    const key = await this.parts.repository.change(id, (current): KeyChange | undefined => {
      const now = this.now();
      const decision = decide(current, now);
      if (decision === undefined) return undefined;
      return {
        key: decision.key,
        entry: { keyId: id, at: now, action, by, details: decision.details },
      };
    });
    return { key, announced: await this.announce({ kind: 'changed', keyId: id }) };
  }

  /** Typed scopes, if all of them are defined or `kept`: what another version of the service defines stays. */
  private definedScopes(
    names: readonly string[] | undefined,
    kept: readonly Scope[] = [],
  ): readonly Scope[] | undefined {
    return names?.map((name) => {
      const scope = this.parts.scopes.find(name) ?? kept.find((one) => one === name);
      if (scope !== undefined) return scope;
      const known = this.parts.scopes.all.join(', ');
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

  private async announce(event: ApiKeyEvent): Promise<boolean> {
    try {
      await this.parts.events?.publish(event);
      return this.parts.events !== undefined;
    } catch {
      // The change is made; only its event is late.
      return false;
    }
  }
}

function toSecret({ text, hash, pepperId }: SignedKey, now: Date): KeySecret {
  return { hash, pepperId, hint: ApiKeyFormat.hintOf(text), createdAt: now, validUntil: undefined };
}

/** What is left out of the numbers stays, as long as the key stays enterprise. */
function planAfter(before: KeyPlan, name = before.name, limits: Partial<PlanLimits> = {}): KeyPlan {
  const kept = name === 'enterprise' && before.name === 'enterprise' ? before.limits : {};
  return KeyPlan.of(name, { ...kept, ...limits });
}
