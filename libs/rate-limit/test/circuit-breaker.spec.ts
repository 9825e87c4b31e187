import { describe, expect, it } from '@jest/globals';
import net from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitBreaker, withTimeout } from '../src/index.js';

const fail = () => Promise.reject(new Error('down'));

describe('a circuit breaker', () => {
  it('makes no call after a failure, then one at a time, and closes with the first that succeeds', async () => {
    const changes: string[] = [];
    const breaker = new CircuitBreaker({
      retryAfterMs: 50,
      onOpen: ({ message }) => changes.push(message),
      onClose: () => changes.push('closed'),
    });
    expect(await breaker.run(() => Promise.resolve(1))).toBe(1);
    await expect(Promise.all([breaker.run(fail), breaker.run(fail)])).rejects.toThrow('down');
    expect(breaker.run(() => Promise.resolve(1))).toBeUndefined();
    await sleep(60);
    const test = breaker.run(() => sleep(20).then(fail));
    expect(breaker.run(() => Promise.resolve(1))).toBeUndefined();
    await expect(test).rejects.toThrow('down');
    expect(breaker.run(() => Promise.resolve(1))).toBeUndefined();
    await sleep(60);
    expect(await breaker.run(() => Promise.resolve(2))).toBe(2);
    expect(breaker.isOpen).toBe(false);
    expect(changes).toEqual(['down', 'closed']);
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
