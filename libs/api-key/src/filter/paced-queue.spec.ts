import { describe, expect, it } from '@jest/globals';
import { KeyStoreUnavailableError, TooManyUnknownKeysError } from '../key/key-store-unavailable.error.js';
import { PacedQueue } from './paced-queue.js';

describe('requests that wait for the same event', () => {
  it('are bounded in number, and an eighth of them may be of one client', async () => {
    const queue = new PacedQueue(16);
    let happen: () => void = () => undefined;
    const event = new Promise<void>((resolve) => (happen = resolve));
    const wait = (client?: string): Promise<void> => queue.wait(() => event, client);
    const waiting = [wait('a'), wait('a')];
    await expect(wait('a')).rejects.toThrow(TooManyUnknownKeysError);
    for (let i = 0; i < 14; i++) waiting.push(wait(`b${i}`));
    await expect(wait('c')).rejects.toThrow(KeyStoreUnavailableError);
    await expect(wait('c')).rejects.not.toThrow(TooManyUnknownKeysError);
    happen();
    await Promise.all(waiting);
    expect(queue.length).toBe(0);
    await wait('a');
  });

  it('give their places back when the event fails', async () => {
    const queue = new PacedQueue(8);
    const fail = (): Promise<void> => Promise.reject(new Error('unavailable'));
    for (let i = 0; i < 20; i++) await expect(queue.wait(fail, 'a')).rejects.toThrow('unavailable');
    expect(queue.length).toBe(0);
  });
});
