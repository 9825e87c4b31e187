import type { FoundKey, KeyLookup } from '../cache/key-lookup.js';
import { HASH_PREFIX_LENGTH } from '../filter/api-key-hash-set.js';
import type { ApiKeyHashSource, HashDelta, HashPage } from '../filter/api-key-hash.source.js';
import type { KeyHash } from '../secrets/secret-hasher.js';
import type { KeyRecords } from './key-records.js';

/** The guard's port over maps. */
export class InMemoryKeyLookup implements KeyLookup {
  constructor(private readonly records: KeyRecords) {}

  find(hashes: readonly KeyHash[]): Promise<FoundKey | undefined> {
    for (const hash of hashes) {
      const found = this.usable(hash);
      if (found !== undefined) return Promise.resolve(found);
    }
    return Promise.resolve(undefined);
  }

  rehash(from: KeyHash, to: KeyHash): Promise<void> {
    const secret = this.records.secrets.get(from);
    const record = secret && this.records.keys.get(secret.keyId);
    if (record !== undefined && !this.records.secrets.has(to)) {
      const before = record.key;
      record.key = before.withRehashed(from, to);
      this.records.indexSecrets(before, record.key);
    }
    return Promise.resolve();
  }

  private usable(hash: KeyHash): FoundKey | undefined {
    const holder = this.records.secrets.get(hash);
    const key = holder && this.records.keys.get(holder.keyId)?.key;
    const now = this.records.now();
    if (key?.stateAt(now) !== 'active') return undefined;
    const secret = key.secretsAt(now).find((one) => one.hash === hash);
    if (secret === undefined) return undefined;
    const { name, plan, scopes, expiresAt } = key.settings;
    const ends = [expiresAt, secret.validUntil].filter((end) => end !== undefined);
    return {
      hash,
      usableUntil: ends.sort((a, b) => a.getTime() - b.getTime())[0],
      caller: { keyId: key.id, name, plan: plan.name, limits: plan.limits, scopes: new Set(scopes) },
    };
  }
}

/** The filter's port over maps. A mark is the number of the last secret that was written. */
export class InMemoryHashSource implements ApiKeyHashSource {
  constructor(private readonly records: KeyRecords) {}

  page(after: string | undefined, most: number): Promise<HashPage> {
    const behind = this.behind(Number(after ?? 0));
    const page = behind.slice(0, most);
    return Promise.resolve({
      prefixes: prefixesOf(page),
      next: behind.length > most ? String(page.at(-1)?.writtenAs) : undefined,
    });
  }

  since(mark: string | undefined): Promise<HashDelta> {
    return Promise.resolve({
      prefixes: mark === undefined ? '' : prefixesOf(this.behind(Number(mark))),
      mark: String(this.records.written),
      complete: true,
    });
  }

  private behind(number: number): { readonly hash: KeyHash; readonly writtenAs: number }[] {
    return [...this.records.secrets]
      .filter(([, { writtenAs }]) => writtenAs > number)
      .map(([hash, { writtenAs }]) => ({ hash, writtenAs }));
  }
}

function prefixesOf(secrets: readonly { readonly hash: KeyHash }[]): string {
  return secrets.map(({ hash }) => hash.slice(0, HASH_PREFIX_LENGTH)).join('');
}
