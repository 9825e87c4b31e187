import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { CreatedProviders } from './created-providers.js';
import { connectionsWithin, HEAP_GROWTH, openFileLimit } from './process-limits.js';

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
  /** 40 MB that stay, and 400 MB that live long enough to become old in every version of V8. */
  const PROGRAM = `
    require('node:v8').setFlagsFromString(process.argv[1]);
    const { constants, PerformanceObserver } = require('node:perf_hooks');
    const object = (value) => ({ value, more: [value, value, value] });
    const stay = Array.from({ length: 400_000 }, (_, i) => object(i));
    const passing = [];
    gc();
    let collections = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries())
        if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
    });
    observer.observe({ entryTypes: ['gc'] });
    let made = 0;
    const timer = setInterval(() => {
      for (let i = 0; i < 20_000; i++) passing[made++ % 400_000] = object(i);
      if (made < 5_000_000) return;
      clearInterval(timer);
      setTimeout(() => console.log(String(collections), 'with', stay.length), 50);
    }, 2);
  `;

  /** @returns how often old objects were collected */
  async function collections(growth: string): Promise<number> {
    const words = ['--expose-gc', '--eval', PROGRAM, '--', growth];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return Number.parseInt(stdout);
  }

  it('of a running process is what it says', async () => {
    const [often, seldom] = await Promise.all(
      ['--heap-growing-percent=10', HEAP_GROWTH].map((growth) => collections(growth)),
    );
    expect(seldom).toBeLessThan((often ?? 0) / 2);
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
