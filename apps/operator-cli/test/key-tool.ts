import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { type FoundKey, KeySigner } from '@petstore/api-key';
import { Database, PostgresApiKeyLookup } from '@petstore/persistence';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { createProgram } from '../src/keys/keys.program.js';
import { run } from '../src/run.js';

export const PEPPER = 'the pepper of these tests';
const signer = new KeySigner(PEPPER);

export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Circumstances {
  readonly environment?: Record<string, string>;
  readonly input?: string;
  readonly colour?: boolean;
}

/** What a command prints with `--json`, of any of the commands. */
export interface KeyObject {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly plan: string;
  readonly state: string;
  readonly pepper: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly limits: { readonly perMinute: number; readonly perDay: number };
  readonly secrets: readonly { readonly lastFour: string; readonly validUntil: string | null }[];
  readonly today: { readonly requests: number; readonly refused: number };
  readonly audit: readonly { readonly action: string; readonly by: string; readonly details: object }[];
}

/** The operator's tool in this process, on a database of its own for each file of tests. */
export class KeyTool {
  server!: TestPostgres;
  database!: Database;

  constructor() {
    beforeAll(async () => {
      this.server = await startTestPostgres();
      this.database = await Database.open({ url: this.server.url });
    });
    afterAll(async () => {
      await this.database.close();
      await this.server.stop();
    });
  }

  /** As the service looks keys up. */
  readonly find = async (secret: string): Promise<FoundKey | undefined> => {
    const hash = signer.verify(secret);
    return hash && new PostgresApiKeyLookup(this.database).find(hash);
  };

  /** Runs a command to its end. */
  readonly key = async (args: readonly string[], circumstances: Circumstances = {}): Promise<Outcome> => {
    const { environment = {}, input = '', colour = false } = circumstances;
    let out = '';
    let err = '';
    const exit = await run(createProgram, args, {
      environment: { DATABASE_URL: this.server.url, API_KEY_PEPPER: PEPPER, ...environment },
      out: (text) => (out += text),
      err: (text) => (err += text),
      input: Readable.from([Buffer.from(input)]),
      interactive: false,
      colour,
      progress: false,
      user: 'anna',
    });
    return { exit, out, err };
  };

  /** Runs a command that must succeed; what it prints with `--json`, on one line. */
  readonly json = async (...args: string[]): Promise<KeyObject> => {
    const { exit, out, err } = await this.key([...args, '--json']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out.trimEnd()).not.toContain('\n');
    return JSON.parse(out) as KeyObject;
  };

  readonly create = (...args: string[]): Promise<KeyObject> =>
    this.json('create', '--name', 'shop', '--plan', 'pro', ...args);
}
