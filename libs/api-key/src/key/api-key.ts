import type { KeyId } from './key-id.js';
import { type KeyPlan } from './key-plan.js';
import { KeyRuleError } from './key-rule.error.js';
import type { KeyHint } from '../format/api-key-format.js';
import type { Scope } from '../scopes/scope.js';
import type { KeyHash } from '../secrets/pepper.js';
import { VisibleText } from './visible-text.js';

/** What an operator decides about a key. */
export interface KeySettings {
  /** For people: 1 to {@link ApiKey.MAX_NAME} visible code points on one line. Need not be unique. */
  readonly name: string;
  readonly plan: KeyPlan;
  /** 1 to 64, in alphabetical order; also such as this process does not know. */
  readonly scopes: readonly Scope[];
  /** From this moment the key is refused; `undefined` for never. */
  readonly expiresAt: Date | undefined;
}

/** One secret of a key, as far as it is kept. During a rotation a key has two. */
export interface KeySecret {
  readonly hash: KeyHash;
  /** Names the pepper that the secret was issued under. */
  readonly pepperId: string;
  readonly hint: KeyHint;
  readonly createdAt: Date;
  /** End of the overlap after a rotation; `undefined` for the secret in force. */
  readonly validUntil: Date | undefined;
}

export type KeyState = 'active' | 'expired' | 'revoked';

interface KeyRecord extends KeySettings {
  readonly id: KeyId;
  readonly createdAt: Date;
  readonly revokedAt: Date | undefined;
  /** Oldest first; at least one. */
  readonly secrets: readonly KeySecret[];
}

/** Longest overlap after a rotation, in milliseconds: 90 days. */
const MAX_OVERLAP = 90 * 24 * 60 * 60 * 1000;
const MAX_NAME = 100;
/** A request's key is kept in memory with its scopes. */
const MAX_SCOPES = 64;

/** An API key: what it may do and until when, and the secrets that stand for it. Never changes; a change gives a new one. */
export class ApiKey {
  /** Longest name, in Unicode code points. */
  static readonly MAX_NAME = MAX_NAME;

  /** A key as it is kept; for a new one see {@link ApiKey.issue}. */
  constructor(private readonly record: KeyRecord) {}

  /**
   * A new key.
   * @throws KeyRuleError
   */
  static issue(id: KeyId, settings: KeySettings, secret: KeySecret, now: Date): ApiKey {
    checkName(settings.name);
    checkScopes(settings.scopes);
    checkExpiry(settings.expiresAt, now);
    return new ApiKey({
      ...settings,
      scopes: inOrder(settings.scopes),
      id,
      createdAt: now,
      revokedAt: undefined,
      secrets: [secret],
    });
  }

  get id(): KeyId {
    return this.record.id;
  }
  get settings(): KeySettings {
    const { name, plan, scopes, expiresAt } = this.record;
    return { name, plan, scopes, expiresAt };
  }
  get createdAt(): Date {
    return this.record.createdAt;
  }
  get revokedAt(): Date | undefined {
    return this.record.revokedAt;
  }
  get secrets(): readonly KeySecret[] {
    return this.record.secrets;
  }

  stateAt(now: Date): KeyState {
    const { revokedAt, expiresAt } = this.record;
    if (revokedAt !== undefined) return 'revoked';
    return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
  }

  /** The secrets that are accepted at this moment, as long as the key is active. */
  secretsAt(now: Date): readonly KeySecret[] {
    return this.record.secrets.filter(({ validUntil }) => validUntil === undefined || validUntil > now);
  }

  /**
   * The key with other settings. An expired key can be given a new life so, a revoked one cannot.
   * @throws KeyRuleError
   */
  update(changes: Partial<KeySettings>, now: Date): ApiKey {
    this.refuseIfRevoked('changed');
    const settings = { ...this.settings, ...changes };
    checkName(settings.name);
    checkScopes(settings.scopes);
    if ('expiresAt' in changes) checkExpiry(changes.expiresAt, now);
    return this.with({ ...settings, scopes: inOrder(settings.scopes) });
  }

  /**
   * The key with a new secret in force. The ones before stay valid for the overlap, and no longer than
   * they were going to.
   * @param overlap milliseconds; 0 ends the old secrets at once
   * @throws KeyRuleError
   */
  rotate(secret: KeySecret, overlap: number, now: Date): ApiKey {
    this.refuseIfRevoked('rotated');
    if (this.stateAt(now) === 'expired') {
      throw new KeyRuleError(`Key ${this.id} has expired: give it a later expiry before rotating it.`);
    }
    if (!(overlap >= 0 && overlap <= MAX_OVERLAP)) {
      throw new KeyRuleError('The overlap may be at most 90 days.');
    }
    const end = new Date(now.getTime() + overlap);
    const old = this.record.secrets.map((one) => ({ ...one, validUntil: earlier(one.validUntil, end) }));
    return this.with({ secrets: [...old, secret] });
  }

  /** The key, refused from now on. Revoking it twice changes nothing. */
  revoke(now: Date): ApiKey {
    return this.record.revokedAt === undefined ? this.with({ revokedAt: now }) : this;
  }

  /** The key without the secrets whose overlap is over, for stores that keep no history. */
  withoutEndedSecrets(now: Date): ApiKey {
    return this.with({ secrets: this.secretsAt(now) });
  }

  private refuseIfRevoked(what: string): void {
    const { id, revokedAt } = this.record;
    if (revokedAt !== undefined) {
      throw new KeyRuleError(
        `Key ${id} was revoked at ${revokedAt.toISOString()} and cannot be ${what} any more.`,
      );
    }
  }

  private with(changes: Partial<KeyRecord>): ApiKey {
    return new ApiKey({ ...this.record, ...changes });
  }
}

function checkName(name: string): void {
  if (name.trim() === '' || Array.from(name).length > MAX_NAME) {
    throw new KeyRuleError(`A name is 1 to ${MAX_NAME} characters on one line, and not only white space.`);
  }
  const flaw = VisibleText.flaw(name);
  if (flaw !== undefined) {
    throw new KeyRuleError(
      `A name is 1 to ${MAX_NAME} visible characters on one line: ${flaw} is not seen, or changes how others are.`,
    );
  }
}

function checkScopes(scopes: readonly Scope[]): void {
  if (scopes.length === 0) throw new KeyRuleError('A key needs at least one scope.');
  if (scopes.length > MAX_SCOPES) throw new KeyRuleError(`A key has at most ${MAX_SCOPES} scopes.`);
}

function checkExpiry(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt !== undefined && !(expiresAt > now)) {
    throw new KeyRuleError('The expiry must lie in the future; to end a key now, revoke it.');
  }
}

function inOrder(scopes: readonly Scope[]): readonly Scope[] {
  return [...new Set(scopes)].sort();
}

function earlier(a: Date | undefined, b: Date): Date {
  return a !== undefined && a < b ? a : b;
}
