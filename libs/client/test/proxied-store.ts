import { afterAll, beforeAll } from '@jest/globals';
import {
  type Fault,
  type FaultProxy,
  type PetStoreProcess,
  startFaultProxy,
  startPetStore,
} from '@petstore/test-servers';
import { PetStoreClient, type PetStoreClientOptions } from '../src/index.js';

const UNLIMITED = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000'];

/** The real service behind a proxy that can break requests. */
export interface ProxiedStore {
  readonly store: PetStoreProcess;
  readonly proxy: FaultProxy;
  /** A client with a key of its own, which has all scopes by default, or the given ones. */
  connect(scopes?: string, options?: Partial<PetStoreClientOptions>): Promise<PetStoreClient>;
}

/** Starts both before the tests of a file, and stops them after; they are there from its own `beforeAll` on. */
export function proxiedStore(environment: Readonly<Record<string, string>> = {}): ProxiedStore {
  let [store, proxy]: [PetStoreProcess?, FaultProxy?] = [];
  beforeAll(async () => {
    store = await startPetStore(environment);
    proxy = await startFaultProxy(store.origin);
  }, 90_000);
  afterAll(async () => {
    await proxy?.close();
    await store?.stop();
  });
  const started = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The service has not been started.');
    return one;
  };
  return {
    get store() {
      return started(store);
    },
    get proxy() {
      return started(proxy);
    },
    connect: async (scopes, options = {}) => {
      const scoped = scopes === undefined ? [] : ['--scopes', scopes];
      const apiKey = await started(store).issueKey([...UNLIMITED, ...scoped]);
      const baseUrl = `${started(proxy).origin}/v1`;
      return new PetStoreClient({ baseUrl, apiKey, timeoutMs: 5_000, ...options });
    },
  };
}

/** What a call rejects with; `nothing` when it does not. */
export const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'nothing',
    (error: unknown) => error,
  );

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Faults after which it is open whether a write was carried out. */
export const AFTER_WORK: [string, Fault][] = [
  ['the connection breaks', { kind: 'cut-after-work' }],
  ['a gateway returns 502', { kind: 'answer-after-work', answer: { status: 502, body: '<h1>Bad</h1>' } }],
];
