import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { CreatedProviders } from './create-app.js';
import { connectionsWithin, openFileLimit } from './process-limits.js';

describe('CreatedProviders', () => {
  const closed: string[] = [];
  let openSlowly: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (openSlowly = resolve));

  class Connection {
    constructor(private readonly name: string) {}

    onApplicationShutdown(): Promise<void> {
      closed.push(this.name);
      return this.name === 'broken' ? Promise.reject(new Error('does not close')) : Promise.resolve();
    }
  }

  const opens = (name: string, inject: string[] = []): object => ({
    provide: name,
    inject,
    useFactory: () => Promise.resolve(new Connection(name)),
  });

  @Module({
    providers: [
      opens('first'),
      opens('broken', ['first']),
      opens('last', ['broken']),
      { provide: 'fails', inject: ['last'], useFactory: () => Promise.reject(new Error('no Redis')) },
      { provide: 'slow', useFactory: () => slow.then(() => new Connection('slow')) },
      { provide: 'nothing to close', useValue: { anything: true } },
    ] as never[],
  })
  class FailingModule {}

  it('closes what an application has opened that could not be created, the last one first, or later at once', async () => {
    const created = new CreatedProviders();
    const starting = NestFactory.createApplicationContext(FailingModule, {
      logger: false,
      abortOnError: false,
      instrument: { instanceDecorator: created.note },
    });
    await expect(starting).rejects.toThrow('no Redis');
    await created.close();
    expect(closed).toEqual(['last', 'broken', 'first']);
    openSlowly();
    await new Promise(setImmediate);
    expect(closed.at(-1)).toBe('slow');
  });
});

describe('the growth of the heap', () => {
  /** 50 MB that stay. After a collection V8 says how large the heap may become before the next one. */
  const PROGRAM = `
    const { setFlagsFromString } = require('node:v8');
    const stay = Array.from({ length: 400_000 }, (_, i) => ({ i, more: [i, i, i] }));
    setFlagsFromString(process.argv[1]);
    setFlagsFromString('--trace-gc-verbose');
    gc();
    console.log(stay.length);
  `;

  /** @returns by how much the heap may grow, as a multiple of what it is */
  async function growthWith(flag: string): Promise<number> {
    const words = ['--expose-gc', '--eval', PROGRAM, '--', flag];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const [, size, limit] = /Limit: old size: (\d+) KB, new limit: (\d+) KB/.exec(stdout) ?? [];
    return Number(limit) / Number(size) - 1;
  }

  it('of a running process is what the flag says that the service sets', async () => {
    // The space for new objects, up to 40 MB, comes on top.
    expect(await growthWith('--heap-growing-percent=10')).toBeLessThan(1);
    const growth = await growthWith('--heap-growing-percent=100');
    expect(growth).toBeGreaterThanOrEqual(1);
    expect(growth).toBeLessThan(2);
  });
});

describe('the limit of open files', () => {
  it('is the one of this process', () => {
    const shown = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
    expect(openFileLimit()).toBe(shown === 'unlimited' ? Infinity : Number(shown));
  });

  it.each([
    [256, 10_000, 128],
    [1_024, 10_000, 512],
    [4_096, 10_000, 3_584],
    [10_511, 10_000, 9_999],
    [10_512, 10_000, 10_000],
    [256, 100, 100],
    [Infinity, 10_000, 10_000],
  ])('of %d leaves of %d connections %d', (limit, maxConnections, expected) => {
    expect(connectionsWithin(limit, { maxConnections })).toBe(expected);
  });
});
