import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { installForeignApp, snippetsIn } from '@petstore/foreign-app';

/** It packs, installs and compiles. */
const SLOW_MS = 120_000;

it(
  'the application of the README works with the packed library, and logs no error',
  async () => {
    const app = await installForeignApp({
      libs: ['libs/api-key'],
      dependencies: [
        ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express'],
        ...['reflect-metadata', 'rxjs'],
      ],
      files: snippetsIn(await readFile(new URL('../README.md', import.meta.url), 'utf8')),
    });
    try {
      const running = await app.start('main.ts');
      try {
        const ask = async (method: string, key?: string): Promise<[number, string | null, unknown]> => {
          const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
          const response = await fetch(`${running.origin}/cats`, { method, headers });
          return [response.status, response.headers.get('WWW-Authenticate'), await response.json()];
        };
        const printed = /Bearer (pet_live_\w+)/.exec(running.output())?.[1];
        expect(await ask('GET')).toEqual([
          401,
          'Bearer realm="api"',
          { statusCode: 401, code: 'missing_api_key' },
        ]);
        expect(await ask('GET', 'made-up')).toEqual([
          401,
          'Bearer realm="api", error="invalid_token"',
          { statusCode: 401, code: 'invalid_api_key' },
        ]);
        expect(await ask('GET', printed)).toEqual([200, null, ['Tom']]);
        expect(await ask('POST', printed)).toEqual([
          403,
          'Bearer error="insufficient_scope", scope="cats:write", realm="api"',
          { statusCode: 403, code: 'insufficient_scope' },
        ]);
        expect(running.output()).not.toMatch(/ERROR|Exception/);
      } finally {
        await running.stop();
      }
    } finally {
      await app.remove();
    }
  },
  SLOW_MS,
);
