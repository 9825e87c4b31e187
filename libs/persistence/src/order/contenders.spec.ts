import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Contenders } from './contenders.js';

const GONE = new Error('gone');

describe('Contenders', () => {
  it('try one after the other, and look again before', async () => {
    const contenders = new Contenders();
    let isGone = false;
    let attempts = 0;
    const look = (): Promise<void> => (isGone ? Promise.reject(GONE) : Promise.resolve());
    const attempt = async (): Promise<string> => {
      attempts++;
      await turn();
      isGone = true;
      return 'mine';
    };
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => contenders.run('it', look, attempt)),
    );
    expect(attempts).toBe(1);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBe(GONE);
  });

  it('go on after an attempt that failed', async () => {
    const contenders = new Contenders();
    const first = contenders.run(
      'it',
      () => Promise.resolve(),
      () => Promise.reject(GONE),
    );
    const second = contenders.run(
      'it',
      () => Promise.resolve(),
      () => Promise.resolve('mine'),
    );
    await expect(first).rejects.toBe(GONE);
    expect(await second).toBe('mine');
  });

  it('keep nobody waiting for ever, nor those who want something else', async () => {
    const contenders = new Contenders();
    let release: (value: string) => void = () => undefined;
    const held = new Promise<string>((resolve) => {
      release = resolve;
    });
    const look = (): Promise<void> => Promise.resolve();
    const first = contenders.run('it', look, () => held);
    expect(await contenders.run('another', look, () => Promise.resolve('free'))).toBe('free');
    const waiting = Array.from({ length: 10 }, (_, n) =>
      contenders.run('it', look, async () => {
        await turn();
        return String(n);
      }),
    );
    release('first');
    expect(await first).toBe('first');
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, n) => String(n)));
  });

  it('leave nothing behind', async () => {
    const contenders = new Contenders();
    const look = (): Promise<void> => Promise.resolve();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => contenders.run(String(n % 3), look, () => Promise.resolve())),
    );
    expect(Reflect.get(contenders, 'trying')).toEqual(new Map());
  });
});
