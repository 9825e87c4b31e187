import type { KeySettings } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';

export type AuditAction = 'created' | 'updated' | 'rotated' | 'revoked' | 'unbanned';

/** One change of a key: when, what, by whom. Only ever added. */
export interface AuditEntry {
  readonly keyId: KeyId;
  readonly at: Date;
  readonly action: AuditAction;
  /** Who did it: an operating-system user, or whom the operator named. */
  readonly by: string;
  /** What changed, in words for a person; never a secret. */
  readonly details: Readonly<Record<string, string>>;
}

/** The settings in words, as the audit shows them. */
export function describeSettings({ name, plan, scopes, expiresAt }: KeySettings): Record<string, string> {
  return {
    name,
    plan:
      plan.name === 'enterprise'
        ? `enterprise (${plan.limits.perMinute}/min, ${plan.limits.perDay}/day)`
        : plan.name,
    scopes: scopes.join(','),
    expires: expiresAt?.toISOString() ?? 'never',
  };
}

/** What is different in the settings: `before -> after` for each that changed. */
export function describeChange(before: KeySettings, after: KeySettings): Record<string, string> {
  const old = describeSettings(before);
  const changed = Object.entries(describeSettings(after)).filter(([field, value]) => old[field] !== value);
  return Object.fromEntries(changed.map(([field, value]) => [field, `${old[field] ?? ''} -> ${value}`]));
}
