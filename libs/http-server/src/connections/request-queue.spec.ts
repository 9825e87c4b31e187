import { describe, expect, it } from '@jest/globals';
import { setImmediate as endOfTick } from 'node:timers/promises';
import { type QueuedConnection, RequestQueue } from './request-queue.js';

/** A connection that notes when its request begins. */
class Noted implements QueuedConnection {
  constructor(
    private readonly notes: string[],
    readonly network: string,
    public isOpen = true,
  ) {}

  begin(): boolean {
    if (this.isOpen) this.notes.push(this.network);
    return this.isOpen;
  }
}

function setUp(): {
  readonly begun: string[];
  readonly queue: RequestQueue<Noted>;
  readonly add: (network: string, count: number, isOpen?: boolean) => void;
} {
  const begun: string[] = [];
  const queue = new RequestQueue<Noted>(({ network }) => network);
  const add = (network: string, count: number, isOpen = true): void => {
    for (let i = 0; i < count; i++) queue.add(new Noted(begun, network, isOpen));
  };
  return { begun, queue, add };
}

describe('requests of one tick of the event loop', () => {
  it('begin at once, and beyond 64 in the next ones', async () => {
    const { begun, queue, add } = setUp();
    add('a', 140);
    expect([begun.length, queue.size]).toEqual([64, 76]);
    await endOfTick();
    expect([begun.length, queue.size]).toEqual([128, 12]);
    await endOfTick();
    expect([begun.length, queue.size]).toEqual([140, 0]);
    add('a', 1);
    expect(begun.length).toBe(141);
  });

  it('begin round robin by network, those of one in their order', async () => {
    const { begun, add } = setUp();
    add('a', 100);
    add('b', 2);
    add('c', 1);
    await endOfTick();
    expect(begun.slice(64, 70)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('leave all of the next tick its own', async () => {
    const { begun, add } = setUp();
    for (let tick = 1; tick <= 3; tick++) {
      add('a', 40);
      expect(begun.length).toBe(40 * tick);
      await endOfTick();
    }
  });

  it('begin one by one while connections are accepted', async () => {
    const { begun, queue, add } = setUp();
    queue.accepted();
    add('a', 20);
    expect(begun).toEqual([]);
    for (let ticks = 1; ticks < 4; ticks++) {
      await endOfTick();
      expect(begun.length).toBe(ticks);
      queue.accepted();
    }
    await endOfTick();
    await endOfTick();
    expect([begun.length, queue.size]).toEqual([20, 0]);
  });

  it('take no part when their clients have gone', async () => {
    const { begun, queue, add } = setUp();
    add('a', 64);
    add('a', 100, false);
    add('a', 64);
    await endOfTick();
    expect([begun.length, queue.size]).toEqual([128, 0]);
  });
});
