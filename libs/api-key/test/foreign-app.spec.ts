import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ForeignApp, installForeignApp, type RunningApp, snippetsIn } from '@petstore/foreign-app';

const README = new URL('../README.md', import.meta.url);

let app: ForeignApp | undefined;
let running: RunningApp;
let stop = (): Promise<unknown> => Promise.resolve();

beforeAll(async () => {
  app = await installForeignApp({
    libs: ['libs/api-key'],
    dependencies: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
    files: snippetsIn(await readFile(README, 'utf8')),
  });
  running = await app.start('main.ts');
  stop = () => running.stop();
}, 120_000);
afterAll(async () => {
  await stop();
  await app?.remove();
});

interface Reply {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: unknown;
}

async function ask(method: string, key?: string): Promise<Reply> {
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const response = await fetch(`${running.origin}/cats`, { method, headers });
  return {
    status: response.status,
    challenge: response.headers.get('WWW-Authenticate'),
    body: await response.json(),
  };
}

const issued = (): string => /Bearer (pet_live_\w+)/.exec(running.output())?.[1] ?? 'none';

describe('the application of the README, with the packed library', () => {
  it('responds 401 without a key', async () => {
    expect(await ask('GET')).toEqual({
      status: 401,
      challenge: 'Bearer realm="api"',
      body: { statusCode: 401, code: 'missing_api_key' },
    });
  });

  it('responds 401 to a key that it has not issued', async () => {
    expect(await ask('GET', 'made-up')).toEqual({
      status: 401,
      challenge: 'Bearer realm="api", error="invalid_token"',
      body: { statusCode: 401, code: 'invalid_api_key' },
    });
  });

  it('responds 200 with the key that it has printed', async () => {
    expect(await ask('GET', issued())).toEqual({ status: 200, challenge: null, body: ['Tom'] });
  });

  it('responds 403 where the key lacks the scope', async () => {
    expect(await ask('POST', issued())).toEqual({
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="cats:write", realm="api"',
      body: { statusCode: 403, code: 'insufficient_scope' },
    });
  });

  it('says nothing of it in its log', () => {
    expect(running.output()).not.toMatch(/ERROR|Exception/);
  });
});
