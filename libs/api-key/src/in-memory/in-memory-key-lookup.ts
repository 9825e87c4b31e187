import type { FoundKey, KeyLookup } from '../cache/key-lookup.js';
import type { KeyHash } from '../secrets/pepper.js';
import type { KeyRecords } from './key-records.js';

/** The guard's port over maps. */
export class InMemoryKeyLookup implements KeyLookup {
  constructor(private readonly records: KeyRecords) {}

  find(hash: KeyHash): Promise<FoundKey | undefined> {
    return Promise.resolve(this.usable(hash));
  }

  private usable(hash: KeyHash): FoundKey | undefined {
    const keyId = this.records.secrets.get(hash);
    const key = keyId && this.records.keys.get(keyId)?.key;
    const now = this.records.now();
    if (key?.stateAt(now) !== 'active') return undefined;
    const secret = key.secretsAt(now).find((one) => one.hash === hash);
    if (secret === undefined) return undefined;
    const { name, plan, scopes, expiresAt } = key.settings;
    const ends = [expiresAt, secret.validUntil].filter((end) => end !== undefined);
    return {
      usableUntil: ends.sort((a, b) => a.getTime() - b.getTime())[0],
      caller: { keyId: key.id, name, plan: plan.name, limits: plan.limits, scopes: new Set(scopes) },
    };
  }
}
