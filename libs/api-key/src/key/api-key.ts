import type { Scope } from '../scopes/scope-registry.js';
import type { KeyKind, SignedKey } from '../secrets/key-signer.js';
import type { KeyId } from './key-id.js';
import type { KeyPlan } from './key-plan.js';
import type { KeyOrigins } from './key-origins.js';
import { KeyRuleError } from './key.errors.js';
import { VisibleText } from './visible-text.js';

/** What an operator decides about a key. */
export interface KeySettings {
  /** For people: 1 to 100 visible code points on one line. Need not be unique. */
  readonly name: string;
  readonly plan: KeyPlan;
  /** 1 to 64, in alphabetical order, including scopes that this process does not know. */
  readonly scopes: readonly Scope[];
  /** From this moment the key is refused; `undefined` for never. */
  readonly expiresAt: Date | undefined;
  /** The sites whose pages may use a publishable key; `undefined` for a secret one. A key stays of its kind. */
  readonly origins?: KeyOrigins | undefined;
}

/** A new secret of a key, as far as it is kept. */
type NewSecret = Omit<SignedKey, 'text'>;

/** One secret of a key. During a rotation a key has two. */
export interface KeySecret extends NewSecret {
  readonly createdAt: Date;
  /** End of the overlap after a rotation; `undefined` for the secret in force. */
  readonly validUntil: Date | undefined;
}

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

export type KeyState = (typeof KEY_STATES)[number];

/** Longest overlap after a rotation. */
const MAX_OVERLAP_DAYS = 90;
/** In Unicode code points. */
const MAX_NAME = 100;
/** A request's key is kept in memory with its scopes. */
const MAX_SCOPES = 64;

/** An API key: its settings and secrets. Immutable: a change returns a new one. */
export class ApiKey {
  /**
   * A key as it is kept; for a new one see {@link ApiKey.issue}.
   * @param secrets oldest first; at least one
   */
  constructor(
    readonly id: KeyId,
    readonly settings: KeySettings,
    readonly secrets: readonly KeySecret[],
    readonly createdAt: Date,
    readonly revokedAt: Date | undefined,
  ) {}

  /**
   * A new key.
   * @throws KeyRuleError
   */
  static issue(id: KeyId, settings: KeySettings, secret: NewSecret, now: Date): ApiKey {
    const accepted = checked(settings);
    checkExpiry(settings.expiresAt, now);
    return new ApiKey(id, accepted, [inForce(secret, now)], now, undefined);
  }

  /** Its prefix says the same. */
  get kind(): KeyKind {
    return this.settings.origins === undefined ? 'secret' : 'publishable';
  }

  stateAt(now: Date): KeyState {
    const { expiresAt } = this.settings;
    if (this.revokedAt !== undefined) return 'revoked';
    return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
  }

  /** The secrets that are accepted at this moment, as long as the key is active. */
  secretsAt(now: Date): readonly KeySecret[] {
    return this.secrets.filter(({ validUntil }) => validUntil === undefined || validUntil > now);
  }

  /**
   * The key with other settings. They can extend an expired key, but not a revoked one.
   *
   * @throws KeyRuleError
   */
  update(changes: Partial<KeySettings>, now: Date): ApiKey {
    this.refuseIfRevoked('changed');
    if (this.kind === 'publishable' && changes.scopes !== undefined)
      throw new KeyRuleError(`Key ${this.id} is publishable: it can read animals and nothing else.`);
    if (this.kind === 'secret' && changes.origins !== undefined)
      throw new KeyRuleError(`Key ${this.id} is secret: only a publishable key has origins.`);
    const settings = checked({ ...this.settings, ...changes });
    if ('expiresAt' in changes) checkExpiry(changes.expiresAt, now);
    return this.with({ settings });
  }

  /**
   * The key with a new current secret. Earlier secrets stay valid for the overlap, and no longer than before.
   *
   * @param overlap milliseconds; 0 ends the old secrets at once
   * @throws KeyRuleError
   */
  rotate(secret: NewSecret, overlap: number, now: Date): ApiKey {
    this.refuseIfRevoked('rotated');
    if (this.stateAt(now) === 'expired') {
      throw new KeyRuleError(`Key ${this.id} has expired: give it a later expiry before rotating it.`);
    }
    if (!(overlap >= 0 && overlap <= MAX_OVERLAP_DAYS * 24 * 60 * 60 * 1000)) {
      throw new KeyRuleError(`The overlap may be at most ${MAX_OVERLAP_DAYS} days.`);
    }
    const end = new Date(now.getTime() + overlap);
    const old = this.secrets.map((one) => ({ ...one, validUntil: earlier(one.validUntil, end) }));
    return this.with({ secrets: [...old, inForce(secret, now)] });
  }

  /** The key, refused from now on. Revoking it twice changes nothing. */
  revoke(now: Date): ApiKey {
    return this.revokedAt === undefined ? this.with({ revokedAt: now }) : this;
  }

  private refuseIfRevoked(what: string): void {
    if (this.revokedAt === undefined) return;
    const at = this.revokedAt.toISOString();
    throw new KeyRuleError(`Key ${this.id} was revoked at ${at} and cannot be ${what} any more.`);
  }

  private with({
    settings = this.settings,
    secrets = this.secrets,
    revokedAt = this.revokedAt,
  }: Partial<Pick<ApiKey, 'settings' | 'secrets' | 'revokedAt'>>): ApiKey {
    return new ApiKey(this.id, settings, secrets, this.createdAt, revokedAt);
  }
}

function inForce(secret: NewSecret, createdAt: Date): KeySecret {
  return { ...secret, createdAt, validUntil: undefined };
}

/** The settings with their scopes in order; throws what is wrong with name and scopes. */
function checked(settings: KeySettings): KeySettings {
  const { name } = settings;
  if (name.trim() === '' || Array.from(name).length > MAX_NAME) {
    throw new KeyRuleError(`A name is 1 to ${MAX_NAME} characters on one line, and not only white space.`);
  }
  const hidden = VisibleText.hiddenCharacter(name);
  if (hidden !== undefined) {
    throw new KeyRuleError(
      `A name is 1 to ${MAX_NAME} visible characters on one line: ${hidden} is not seen, or changes how others are.`,
    );
  }
  const scopes = [...new Set(settings.scopes)].sort();
  if (scopes.length === 0) throw new KeyRuleError('A key needs at least one scope.');
  if (scopes.length > MAX_SCOPES) throw new KeyRuleError(`A key has at most ${MAX_SCOPES} scopes.`);
  return { ...settings, scopes };
}

function checkExpiry(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt !== undefined && !(expiresAt > now)) {
    throw new KeyRuleError('The expiry must lie in the future; to end a key now, revoke it.');
  }
}

function earlier(a: Date | undefined, b: Date): Date {
  return a !== undefined && a < b ? a : b;
}
