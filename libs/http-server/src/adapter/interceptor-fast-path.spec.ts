import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  type INestApplication,
  Module,
  NotFoundException,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { InterceptorsConsumer } from '@nestjs/core/internal';
import type { Request } from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom, map, type Observable, of } from 'rxjs';
import { installInterceptorFastPath, type PreHandler } from './interceptor-fast-path.js';

/** Refuses whom it is told to, in the way that interceptors do everywhere. */
class PlainInterceptor {
  intercepted = 0;

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    this.intercepted++;
    await this.decide(context);
    return next.handle();
  }

  protected async decide(context: ExecutionContext): Promise<void> {
    const { url } = context.switchToHttp().getRequest<Request>();
    await Promise.resolve();
    if (url.endsWith('refused')) throw new ForbiddenException(`${context.getClass().name} is closed`);
  }
}

class DirectPreHandler extends PlainInterceptor implements PreHandler {
  admitted = 0;

  admit(context: ExecutionContext): Promise<void> | undefined {
    this.admitted++;
    const { url } = context.switchToHttp().getRequest<Request>();
    return url.endsWith('free') ? undefined : this.decide(context);
  }
}

class Wrapping {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value: unknown) => ({ wrapped: value })));
  }
}

@Controller()
class Doors {
  @Get(['open', 'free', 'refused'])
  value(): object {
    return { value: 1 };
  }

  @Get('later')
  later(): Promise<object> {
    return Promise.resolve({ value: 2 });
  }

  @Get('stream')
  stream(): Observable<object> {
    return of({ value: 3 });
  }

  @Get('failing')
  failing(): never {
    throw new NotFoundException('nothing here');
  }

  @Get(['wrapped', 'wrapped-refused'])
  @UseInterceptors(new Wrapping())
  wrapped(): object {
    return { value: 4 };
  }
}

@Module({})
class DoorsModule {}

async function start(interceptor: PlainInterceptor): Promise<INestApplication<Server>> {
  const app = await NestFactory.create<INestApplication<Server>>(
    {
      module: DoorsModule,
      controllers: [Doors],
      providers: [{ provide: APP_INTERCEPTOR, useValue: interceptor }],
    },
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  return app;
}

const direct = new DirectPreHandler();
let apps: INestApplication<Server>[];

beforeAll(async () => {
  installInterceptorFastPath();
  apps = await Promise.all([start(direct), start(new PlainInterceptor())]);
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

async function get(app: 0 | 1, path: string): Promise<{ status: number; body: unknown }> {
  const { port } = apps[app]?.getHttpServer().address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/${path}`);
  return { status: response.status, body: await response.json() };
}

describe('a pre-handler', () => {
  it.each(['open', 'free', 'refused', 'later', 'stream', 'failing', 'wrapped', 'wrapped-refused', 'unknown'])(
    'that is called directly leaves every response as it is: /%s',
    async (path) => {
      expect(await get(0, path)).toEqual(await get(1, path));
    },
  );

  it('is called once for a request, and not as an interceptor', async () => {
    const before = { admitted: direct.admitted, intercepted: direct.intercepted };
    await get(0, 'open');
    expect(direct).toMatchObject({ admitted: before.admitted + 1, intercepted: before.intercepted });
  });

  it('is called as an interceptor beside one that is no pre-handler', async () => {
    const before = { admitted: direct.admitted, intercepted: direct.intercepted };
    await get(0, 'wrapped');
    expect(direct).toMatchObject({ admitted: before.admitted, intercepted: before.intercepted + 1 });
  });
});

describe('the fast path', () => {
  const consumer = InterceptorsConsumer.prototype as unknown as Record<string, unknown>;
  const call = (...all: unknown[]): unknown =>
    Reflect.apply(consumer['intercept'] as () => unknown, new InterceptorsConsumer(), all);

  it('is installed once, and not over methods that somebody else has replaced', () => {
    installInterceptorFastPath();
    const installed = consumer['intercept'];
    installInterceptorFastPath();
    expect(consumer['intercept']).toBe(installed);
    consumer['intercept'] = () => undefined;
    try {
      expect(installInterceptorFastPath).toThrow('@nestjs/core');
    } finally {
      consumer['intercept'] = installed;
    }
  });

  it('hands on all arguments that Nest passes, and keeps the interceptors when there are more than it knows', async () => {
    const interceptor = new DirectPreHandler();
    const args = [{ url: 'free' }, {}, undefined];
    const next = (): Promise<string> => Promise.resolve('done');
    const known = [args, new Doors(), () => undefined, next, 'http'];
    expect(await call([interceptor], ...known)).toBe('done');
    expect(interceptor).toMatchObject({ admitted: 1, intercepted: 0 });
    const observable = (await call([interceptor], ...known, 'more')) as Observable<unknown>;
    expect(await lastValueFrom(observable)).toBe('done');
    expect(interceptor).toMatchObject({ admitted: 1, intercepted: 1 });
  });
});
