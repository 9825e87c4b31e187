import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { ApiKeyEvent } from '../src/events/api-key-event.js';
import type { ApiKeyEventBus } from '../src/events/api-key-event-bus.js';
import { InMemoryApiKeyStore } from '../src/in-memory/index.js';

/** Delivers at once, and remembers what was done with it. */
export class LocalBus implements ApiKeyEventBus {
  readonly calls: string[] = [];
  private listener: ((event: ApiKeyEvent) => void) | undefined;

  publish(event: ApiKeyEvent): Promise<void> {
    this.listener?.(event);
    return Promise.resolve();
  }
  subscribe(listener: (event: ApiKeyEvent) => void): Promise<void> {
    this.calls.push('subscribe');
    this.listener = listener;
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.calls.push('close');
    return Promise.resolve();
  }
}

/** A store that can be closed, as a database is. */
@Injectable()
export class Storage implements OnApplicationShutdown {
  readonly store = new InMemoryApiKeyStore();
  isClosed = false;
  usedWhenClosed: number | undefined;

  async onApplicationShutdown(): Promise<void> {
    const [overview] = await this.store.repository.list('2000-01-01');
    this.usedWhenClosed = overview?.days[0]?.requests;
    this.isClosed = true;
  }
}

@Module({ providers: [Storage], exports: [Storage] })
export class StorageModule {}

/** Status of the response to a GET. */
export async function statusOf(
  app: INestApplication | undefined,
  path: string,
  key?: string,
): Promise<number> {
  const server = app?.getHttpServer() as Server;
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}
