import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type ForeignApp, installForeignApp, snippetsIn } from '@petstore/foreign-app';

/** The programs of the README, word for word. */
const programs = snippetsIn(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));

/** It packs, installs and compiles. */
const SLOW_MS = 120_000;

const PACKAGES = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
  ...['express', '@types/express', 'fastify'],
];

describe('the packed lib, in an application that has nothing of ours', () => {
  let app: ForeignApp;
  beforeAll(async () => {
    app = await installForeignApp({ libs: ['libs/rate-limit'], dependencies: PACKAGES, files: programs });
  }, SLOW_MS);
  afterAll(() => app.remove());

  // Nest ends a program by the signal that it was sent, once everything is closed.
  it.each([
    ['NestJS', 'nest.ts', 'SIGTERM', { status: 429, code: 'rate_limit_exceeded' }],
    ['Express', 'express.ts', 0, { status: 429, code: 'rate_limit_exceeded' }],
    ['Fastify', 'fastify.ts', 0, { status: 429, code: 'rate_limit_exceeded' }],
    ['node:http', 'plain.ts', 0, { status: 429, code: 'rate_limit_exceeded' }],
  ])('limits an application of %s by the code of the README', async (_, file, end, refusal) => {
    expect(Object.keys(programs)).toContain(file);
    const running = await app.start(file);
    try {
      const get = (): Promise<Response> => fetch(running.origin, { headers: { connection: 'close' } });
      const [first, second, third] = [await get(), await get(), await get()];
      expect(await first.text()).toBe('hello');
      expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
      expect(first.headers.get('x-ratelimit-limit')).toBe('2');
      expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
      expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60, "day";q=1000;w=86400');
      expect(third.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(50);
      expect(third.headers.get('content-type')).toContain('application/json');
      expect(await third.json()).toMatchObject(refusal);
    } finally {
      expect(await running.stop()).toBe(end);
    }
  });
});
