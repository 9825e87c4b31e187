import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreatedProviders } from './created-providers.js';

let closed: string[];

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
    { provide: 'slow', useFactory: () => sleep(50).then(() => new Connection('slow')) },
    { provide: 'nothing to close', useValue: { anything: true } },
  ] as never[],
})
class FailingModule {}

describe('CreatedProviders', () => {
  it('closes what an application has opened that could not be created, the last one first', async () => {
    closed = [];
    const created = new CreatedProviders();
    const options = { logger: false as const, abortOnError: false };
    await expect(
      NestFactory.createApplicationContext(FailingModule, {
        ...options,
        instrument: { instanceDecorator: created.note },
      }),
    ).rejects.toThrow('no Redis');
    await created.close();
    expect(closed).toEqual(['last', 'broken', 'first']);
  });

  it('closes at once what is opened after that', async () => {
    await sleep(100);
    expect(closed.at(-1)).toBe('slow');
  });
});
