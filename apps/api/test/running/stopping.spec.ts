import { describe, expect, it } from '@jest/globals';
import { Telemetry } from '@petstore/observability';
import type { AppOptions } from '../../src/app.module.js';
import { readConfiguration } from '../../src/configuration/configuration.js';
import { createApp } from '../../src/startup/create-app.js';
import { serverElsewhere } from '../../src/storage/database-server.js';
import { Client, type Reply } from '../support/client.js';
import {
  act,
  breakOff,
  drip,
  flood,
  halfClose,
  send,
  silence,
  type Step,
  stopReading,
} from '../hostile/hostile-client.js';
import {
  bearer,
  chunkABytes,
  CHUNKED,
  CONNECT,
  head,
  JSON_TYPE,
  LARGE_FILE,
} from '../hostile/hostile-requests.js';
import { portOf } from '../hostile/service-vitals.js';
import { Program } from '../support/program.js';
import { LIVE } from '../support/raw-connection.js';
import { type RunningService, serve } from '../support/running-service.js';
import { until } from '../support/until.js';
import { WatchedLog } from '../support/watched-log.js';

/** More than the system takes in for a connection: the responses to these stay in the service. */
const UNREAD = head('GET', LARGE_FILE).repeat(16);
/** For so long the application of a test bears with a connection without progress. */
const NO_PROGRESS_MS = 200;

const { running } = await serve();
const key = await running.issueKey();

/** What a client does before the signal, and what it goes on with afterwards. */
type Behaviour = readonly [before: readonly Step[], goOn?: Step];

function hostileBehaviours(): readonly Behaviour[] {
  const post = (...fields: string[]): Step =>
    send(head('POST', '/v1/pets', bearer(key), JSON_TYPE, ...fields));
  const upgrade = head('GET', '/v1/pets', 'Connection: Upgrade', 'Upgrade: websocket');
  // Longer than a stop may take.
  const slowly = 'a'.repeat(120);
  const dripped = (bytes: string | Buffer): Step => drip(bytes, 100);
  return [
    // They say nothing, or nothing more,
    [[]],
    [[send(LIVE), silence(50)]],
    [[send('GET /livez HTTP/1.1\r\nHos')]],
    // send a byte now and then,
    [[send('GET /livez HTTP/1.1\r\nHost: a\r\nX: ')], dripped(slowly)],
    [[post('Content-Length: 1000')], dripped(slowly)],
    [[post(CHUNKED)], dripped(chunkABytes(Buffer.from(slowly)))],
    // send without end, or more than is served,
    [[send(head('GET', '/livez', CHUNKED)), silence(50)], flood(chunkABytes(Buffer.alloc(100)), 2_000)],
    [[send(head('GET', '/v1/pets', bearer(key)).repeat(200))], halfClose],
    // read nothing, or ask for a tunnel.
    [[stopReading, send(UNREAD), silence(200)]],
    [[stopReading, send(UNREAD + CONNECT), silence(200)], halfClose],
    [[send(CONNECT)], send('more')],
    [[send(upgrade)], send('\x81\x00')],
  ];
}

describe('a service that is told to stop', () => {
  it('is gone in order, whatever its clients do', async () => {
    const program = await new Program('/nonexistent', running.environment).started();
    try {
      const clients = await Promise.all(
        [...hostileBehaviours(), ...hostileBehaviours()].map(async ([before, goOn]) => ({
          connection: await act(portOf(program.origin), before),
          goOn,
        })),
      );
      for (const { connection, goOn } of clients) void goOn?.(connection);
      // Its own time limit, of less than ten seconds, would end it with another code.
      expect(await program.end()).toBe(0);
      for (const { connection } of clients) breakOff(connection.socket);
    } finally {
      await program.end('SIGKILL');
    }
  });

  it('loses no request while two instances are replaced one after the other under load', async () => {
    const instances = [await running.another(), await running.another()];
    const clients = new Map<string, Client>();
    const seen: Reply[] = [];
    const closing = new Set<string>();
    let isLoaded = true;
    // As clients behind a load balancer: one that has been told to go elsewhere takes another instance.
    const load = async (): Promise<void> => {
      for (let i = 0; isLoaded; i++) {
        const open = instances.filter(({ origin }) => !closing.has(origin));
        const origin = open[i % open.length]?.origin ?? '';
        const client = clients.get(origin) ?? new Client(origin, key);
        clients.set(origin, client);
        const reply = await client.get('/v1/pets?limit=1');
        if (reply.headers.connection === 'close') closing.add(origin);
        seen.push(reply);
      }
    };
    const loads = Promise.all(Array.from({ length: 8 }, load));
    for (const at of [0, 1]) {
      const enough = seen.length + 50;
      await until(() => seen.length > enough);
      const [old] = instances.splice(at, 1, await running.another());
      // The old one still takes requests for a while, but is not given any.
      await old?.close();
    }
    isLoaded = false;
    await loads;
    for (const client of clients.values()) client.close();
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('says that it is not ready, serves on the connections that there are, and then takes no other', async () => {
    const service = await running.another();
    const client = new Client(service.origin, key);
    await client.get('/livez');
    const closing = service.close();
    const { status, headers } = await client.get('/readyz');
    expect([status, headers.connection]).toEqual([503, 'keep-alive']);
    await closing;
    await expect(client.get('/livez')).rejects.toThrow('ECONNREFUSED');
    client.close();
  });
});

/** For the application within this process. */
const optionsOf = ({ environment, postgres }: RunningService): AppOptions => ({
  configuration: readConfiguration({ ...environment, OPS_PORT: '0' }),
  log: new WatchedLog().log,
  server: serverElsewhere(postgres.url),
});

describe('the application', () => {
  it('gives up a response that is never read, with all that waits behind it', async () => {
    const app = await createApp(optionsOf(running));
    app.getHttpServer().timeout = NO_PROGRESS_MS;
    await app.listen(0, '127.0.0.1');
    const port = portOf(await app.getUrl());
    let taken = 0;
    app.getHttpServer().on('connection', () => taken++);
    const kinds: readonly (readonly Step[])[] = [
      [send(UNREAD)],
      [send(UNREAD + CONNECT)],
      [send(UNREAD), silence(50), halfClose],
      [send(UNREAD + CONNECT), silence(50), halfClose],
    ];
    const clients = await Promise.all(
      [...kinds, ...kinds].map((steps) => act(port, [stopReading, ...steps])),
    );
    const { registry } = app.get(Telemetry);
    await until(
      async () => taken === clients.length && /^petstore_http_connections 0$/m.test(await registry.metrics()),
    );
    expect(await registry.metrics()).toMatch(/^petstore_http_requests_in_flight 0$/m);
    for (const { socket } of clients) breakOff(socket);
    await app.close();
  });
});
