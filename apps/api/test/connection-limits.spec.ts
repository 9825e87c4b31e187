import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIVE, type RawConnection, rawConnection } from './raw-connection.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

describe('more connections than there may be', () => {
  let small: RunningService;
  const most = 6;

  beforeAll(async () => {
    small = await runService({
      MAX_CONNECTIONS: String(most),
      MAX_CONNECTIONS_PER_ADDRESS: '4',
      TRUSTED_PROXIES: '127.0.0.9',
    });
  });
  afterAll(() => small.close());

  const open = async (from: string): Promise<RawConnection> => {
    const connection = rawConnection(small.service.origin, from);
    await once(connection.socket, 'connect');
    return connection;
  };
  const isServed = async (connection: RawConnection): Promise<boolean> => {
    connection.text = '';
    connection.write(LIVE);
    await Promise.race([connection.responded(), connection.ended()]);
    return connection.statuses().length === 1;
  };

  it('make the longest idle one of an address give way that has its share, and none of another', async () => {
    const other = await open('127.0.0.3');
    expect(await isServed(other)).toBe(true);
    const [first, ...kept] = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.2')));
    if (first !== undefined) expect(await isServed(first)).toBe(true);
    for (const each of kept) expect(await isServed(each)).toBe(true);
    kept.push(await open('127.0.0.2'));
    await first?.ended();
    for (const each of [...kept, other]) expect(await isServed(each)).toBe(true);
    for (const each of [...kept, other]) each.socket.destroy();
  });

  it('are refused to an address whose share is at work', async () => {
    const key = await small.issueKey();
    const busy = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.5')));
    for (const each of busy) {
      each.write(
        `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
      );
    }
    // Begun: each of them waits for the rest of its body.
    await sleep(200);
    expect(await isServed(await open('127.0.0.5'))).toBe(false);
    expect(await isServed(await open('127.0.0.6'))).toBe(true);
    for (const each of busy) each.write('}');
    for (const each of busy) {
      await each.responded();
      expect(each.statuses()).toEqual([400]);
      each.socket.destroy();
    }
  });

  it('make the longest idle one give way', async () => {
    const first = await open('127.0.0.4');
    expect(await isServed(first)).toBe(true);
    const others = await Promise.all(Array.from({ length: most }, (_, i) => open(`127.0.1.${i}`)));
    for (const each of others) expect(await isServed(each)).toBe(true);
    await first.ended();
    for (const each of others) expect(await isServed(each)).toBe(true);
    for (const each of others) each.socket.destroy();
    await until(() => small.lines.some((line) => line.includes('connections dropped')));
  });

  it('make one give way that reads its response slowly, when none is idle', async () => {
    const slow = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.7')));
    for (const each of slow) {
      each.socket.pause();
      // More than the system keeps for a connection.
      each.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(16));
    }
    await sleep(3_000);
    const others = await Promise.all(Array.from({ length: 5 }, (_, i) => open(`127.0.2.${i}`)));
    for (const each of others) expect(await isServed(each)).toBe(true);
    for (const each of [...slow, ...others]) each.socket.destroy();
  });

  it('are a trusted proxy’s to open', async () => {
    const proxied = await Promise.all(Array.from({ length: 5 }, () => open('127.0.0.9')));
    for (const each of proxied) expect(await isServed(each)).toBe(true);
    for (const each of proxied) each.socket.destroy();
  });
});
