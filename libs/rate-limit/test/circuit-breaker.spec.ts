import { describe, expect, it } from '@jest/globals';
import net from 'node:net';
import { once } from 'node:events';
import { waitFor } from '@petstore/testing';
import { CircuitBreaker, withTimeout } from '../src/index.js';

describe('a circuit breaker', () => {
  it('makes no call after a failure, but tests, and closes with the first that succeeds', async () => {
    const changes: string[] = [];
    let comeBack = (): void => undefined;
    const isBack = new Promise<void>((resolve) => (comeBack = resolve));
    const fail = () => Promise.reject(new Error('down'));
    let tests = 0;
    const breaker = new CircuitBreaker({
      test: () => (++tests < 3 ? fail() : isBack),
      retryAfterMs: 20,
      onOpen: ({ message }) => changes.push(message),
      onClose: () => changes.push('closed'),
    });
    expect(await breaker.run(() => Promise.resolve(1))).toBe(1);
    const calls = [breaker.run(fail), breaker.run(fail)];
    expect(await Promise.allSettled(calls)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await waitFor(() => tests === 3);
    expect(await breaker.run(() => Promise.resolve(1))).toBeUndefined();
    comeBack();
    await waitFor(() => !breaker.isOpen);
    expect(await breaker.run(() => Promise.resolve(2))).toBe(2);
    expect([changes, tests]).toEqual([['down', 'closed'], 3]);
  });
});

describe('a timeout', () => {
  it('counts a response that arrived while the process stood still', async () => {
    const server = net.createServer((socket) =>
      socket.on('data', () => {
        socket.write('pong');
        const until = performance.now() + 200;
        while (performance.now() < until);
      }),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    await once(client, 'connect');
    const response = withTimeout(once(client, 'data'), 50);
    client.write('ping');
    expect(String((await response)[0])).toBe('pong');
    client.destroy();
    server.close();
  });

  it('ends the wait for one that does not', async () => {
    await expect(withTimeout(new Promise(() => undefined), 20)).rejects.toThrow('no response within 20 ms');
  });
});
