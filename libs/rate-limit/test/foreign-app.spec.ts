import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type ForeignApp, installForeignApp, snippetsIn } from '@petstore/foreign-app';

/** The programs of the README, word for word. */
const programs = snippetsIn(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
const { 'nest.ts': nest = '', 'plain.ts': plain = '' } = programs;

/** It packs, installs and compiles. */
const SLOW_MS = 120_000;

const NEST = [...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs']];

/** Three responses; it then ends in the way that a program of its kind does. */
async function threeOf(app: ForeignApp, file: string, end: number | string): Promise<Response[]> {
  const running = await app.start(file);
  try {
    const responses: Response[] = [];
    for (let i = 0; i < 3; i++) {
      responses.push(await fetch(running.origin, { headers: { connection: 'close' } }));
    }
    expect(await responses[0]?.text()).toBe('hello');
    return responses;
  } finally {
    expect(await running.stop()).toBe(end);
  }
}

function expectLimited([first, second, third]: Response[]): void {
  expect([first?.status, second?.status, third?.status]).toEqual([200, 200, 429]);
  expect(first?.headers.get('x-ratelimit-limit')).toBe('2');
  expect(first?.headers.get('x-ratelimit-remaining')).toBe('1');
  expect(first?.headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60, "day";q=1000;w=86400');
  expect(third?.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(third?.headers.get('retry-after'))).toBeGreaterThan(50);
}

describe('the packed lib, in an application that has nothing of ours', () => {
  let app: ForeignApp;
  beforeAll(async () => {
    app = await installForeignApp({ libs: ['libs/rate-limit'], dependencies: NEST, files: programs });
  }, SLOW_MS);
  afterAll(() => app.remove());

  // Nest ends a program by the signal that it was sent, once everything is closed.
  it('limits a Nest application by the code of the README', async () => {
    expect(nest).not.toBe('');
    const responses = await threeOf(app, 'nest.ts', 'SIGTERM');
    expectLimited(responses);
    expect(await responses[2]?.json()).toMatchObject({ statusCode: 429, error: 'rate_limit_exceeded' });
  });

  it('limits a server of node:http by the code of the README', async () => {
    expect(plain).not.toBe('');
    const responses = await threeOf(app, 'plain.ts', 0);
    expectLimited(responses);
    expect(responses[2]?.headers.get('content-type')).toBe('application/json');
    expect(await responses[2]?.json()).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
  });
});
