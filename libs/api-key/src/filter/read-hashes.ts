import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock/clock.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import { type ApiKeyHashSet, HASH_PREFIX_LENGTH } from './api-key-hash-set.js';
import type { ApiKeyHashSource, HashPrefixes } from './api-key-hash.source.js';

/** How all hashes are read. */
export interface ReadingOptions {
  /** Hashes read at a time. */
  readonly pageSize: number;
  readonly clock: Clock;
  /** Asked before each page; throws to end the reading. */
  readonly refuseIfStopped: () => void;
}

/** Up to where the store was read. */
export interface ReadingResult {
  /** What the next question goes on from. */
  readonly mark: string;
  /** Elapsed time up to which what was read is everything. */
  readonly began: number;
}

/**
 * Reads all hashes into a set: page by page, then what was added meanwhile.
 *
 * @throws KeyStoreUnavailableError
 */
export async function readAllHashes(
  source: ApiKeyHashSource,
  hashes: ApiKeyHashSet,
  { pageSize, clock, refuseIfStopped }: ReadingOptions,
): Promise<ReadingResult> {
  const { mark } = await source.since(undefined);
  let after: string | undefined;
  do {
    refuseIfStopped();
    const page = await source.page(after, pageSize);
    await addHashes(hashes, page.prefixes, pageSize);
    after = page.next;
  } while (after !== undefined);
  const began = clock.elapsed();
  const delta = await source.since(mark);
  if (!delta.complete) throw new KeyStoreUnavailableError('Too many keys were added while all were read.');
  await addHashes(hashes, delta.prefixes, pageSize);
  return { mark: delta.mark, began };
}

/** Adds hashes, a page in one turn of the event loop; whether any of them was new. */
export async function addHashes(
  hashes: ApiKeyHashSet,
  prefixes: HashPrefixes,
  pageSize: number,
): Promise<boolean> {
  const before = hashes.size;
  const slice = pageSize * HASH_PREFIX_LENGTH;
  for (let begin = 0; begin < prefixes.length; begin += slice) {
    if (begin > 0) await turn();
    const end = Math.min(begin + slice, prefixes.length);
    for (let at = begin; at < end; at += HASH_PREFIX_LENGTH) hashes.add(prefixes, at);
  }
  return hashes.size > before;
}
