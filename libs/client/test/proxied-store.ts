import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import {
  ALL_SCOPES,
  type FaultProxy,
  type PetStoreProcess,
  startFaultProxy,
  startPetStore,
  UNLIMITED,
} from '@petstore/test-servers';
import { PetStoreClient, type PetStoreClientOptions } from '../src/index.js';

/** The real service behind a proxy that can break requests: one for all tests of a file. */
export class ProxiedStore {
  store!: PetStoreProcess;
  proxy!: FaultProxy;
  /** It may do everything. */
  key!: string;

  constructor() {
    beforeAll(async () => {
      this.store = await startPetStore();
      this.proxy = await startFaultProxy(this.store.origin);
      this.key = await this.store.issueKey([...UNLIMITED, '--scopes', ALL_SCOPES]);
    }, 90_000);
    beforeEach(() => {
      this.proxy.reset();
    });
    afterAll(async () => {
      await this.proxy.close();
      await this.store.stop();
    });
  }

  /** A client whose key may do everything, unless another key is given. */
  readonly connect = (options: Partial<PetStoreClientOptions> = {}): PetStoreClient => {
    const baseUrl = `${this.proxy.origin}/v1/`;
    return new PetStoreClient({ baseUrl, apiKey: this.key, warn: () => undefined, ...options });
  };
}

/** An error of the service that it did not send. */
export const madeUp = (status: number, code: string, headers = {}) => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ code, message: 'Made up.', status }),
});

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
