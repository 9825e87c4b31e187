import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import { KeyId } from '../key/key-id.js';
import { type KeyUsage, KeyUsageRecorder, type KeyUsageStore } from './key-usage-recorder.js';

class Ledger implements KeyUsageStore {
  readonly batches: (readonly KeyUsage[])[] = [];
  unavailable = false;
  /** Is called while a batch is written. */
  meanwhile: () => void = () => undefined;

  add(batch: readonly KeyUsage[]): Promise<void> {
    this.meanwhile();
    if (this.unavailable) return Promise.reject(new Error('unavailable'));
    this.batches.push(batch);
    return Promise.resolve();
  }
}

const [first, second] = [KeyId.generate(), KeyId.generate()].sort() as [KeyId, KeyId];
const noon = Date.parse('2026-11-20T12:00:00Z');
let now: number;
let ledger: Ledger;
let recorder: KeyUsageRecorder;

beforeEach(() => {
  now = noon;
  ledger = new Ledger();
  recorder = new KeyUsageRecorder(ledger, { capacity: 4, now: () => now });
});
afterEach(async () => {
  ledger.unavailable = false;
  await recorder.onApplicationShutdown();
});

describe('KeyUsageRecorder', () => {
  it('writes one line for each key and day', async () => {
    for (let i = 0; i < 5; i++) recorder.used(second);
    recorder.refused(second);
    recorder.used(first);
    now += 1_000;
    recorder.used(first);
    await recorder.flush();
    const base = { day: '2026-11-20', bannedUntil: undefined };
    expect(ledger.batches).toEqual([
      [
        { ...base, keyId: first, requests: 2, refused: 0, lastUsedAt: new Date(noon + 1_000) },
        { ...base, keyId: second, requests: 5, refused: 1, lastUsedAt: new Date(noon) },
      ],
    ]);
    // Nothing has happened since.
    await recorder.flush();
    expect(ledger.batches).toHaveLength(1);
  });

  it('counts a request on the day it was made (UTC)', async () => {
    now = Date.parse('2026-11-20T23:59:59.999Z');
    recorder.used(first);
    now += 1;
    recorder.used(first);
    recorder.used(first);
    await recorder.flush();
    expect(ledger.batches[0]?.map(({ day, requests }) => [day, requests])).toEqual([
      ['2026-11-20', 1],
      ['2026-11-21', 2],
    ]);
  });

  it('loses nothing while the store is unavailable', async () => {
    ledger.unavailable = true;
    for (let i = 0; i < 2; i++) {
      recorder.used(first);
      recorder.refused(first);
      await expect(recorder.flush()).rejects.toThrow('unavailable');
    }
    ledger.unavailable = false;
    recorder.used(first);
    await recorder.flush();
    expect(ledger.batches).toEqual([[expect.objectContaining({ requests: 3, refused: 2 })]]);
  });

  it('remembers a bounded number of keys while the store is unavailable', async () => {
    ledger.unavailable = true;
    const useMany = (): void => {
      for (let i = 0; i < 100; i++) recorder.used(KeyId.generate());
    };
    ledger.meanwhile = useMany;
    for (let i = 0; i < 3; i++) {
      useMany();
      await recorder.flush().catch(() => undefined);
    }
    ledger.unavailable = false;
    ledger.meanwhile = () => undefined;
    await recorder.flush();
    expect(ledger.batches[0]).toHaveLength(4);
  });

  it('tells of the latest ban, once it can be written', async () => {
    const [until, later] = [new Date(noon + 300_000), new Date(noon + 600_000)];
    recorder.banned(first, until);
    await recorder.flush();
    recorder.used(first);
    await recorder.flush();
    recorder.banned(first, until);
    ledger.unavailable = true;
    await recorder.flush().catch(() => undefined);
    ledger.unavailable = false;
    recorder.used(first);
    await recorder.flush();
    recorder.banned(first, until);
    recorder.banned(first, later);
    await recorder.flush();
    expect(ledger.batches.map(([usage]) => usage?.bannedUntil)).toEqual([until, undefined, until, later]);
  });

  it('writes the rest when it is closed, also while the store is unavailable', async () => {
    recorder.used(first);
    await recorder.onApplicationShutdown();
    expect(ledger.batches).toHaveLength(1);
    const failures: unknown[] = [];
    const closing = new KeyUsageRecorder(ledger, { onFailure: (error) => failures.push(error) });
    ledger.unavailable = true;
    closing.used(first);
    await closing.onApplicationShutdown();
    expect(failures).toHaveLength(1);
  });

  it('writes by itself, and says once when it cannot and once when it can again', async () => {
    const said: string[] = [];
    let attempts = 0;
    ledger.meanwhile = () => attempts++;
    const busy = new KeyUsageRecorder(ledger, {
      intervalMs: 5,
      onFailure: () => said.push('failure'),
      onRecovery: () => said.push('recovery'),
    });
    ledger.unavailable = true;
    busy.used(first);
    await waitFor(() => attempts > 2);
    ledger.unavailable = false;
    await waitFor(() => ledger.batches.length > 0);
    await busy.onApplicationShutdown();
    expect(ledger.batches).toHaveLength(1);
    expect(said).toEqual(['failure', 'recovery']);
  });
});
