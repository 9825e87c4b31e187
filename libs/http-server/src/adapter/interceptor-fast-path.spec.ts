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
  const providers = [{ provide: APP_INTERCEPTOR, useValue: interceptor }];
  const root = { module: DoorsModule, controllers: [Doors], providers };
  const app = await NestFactory.create<INestApplication<Server>>(root, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('a pre-handler', () => {
  const preHandler = new DirectPreHandler();
  let direct: INestApplication<Server>;
  let plain: INestApplication<Server>;
  beforeAll(async () => {
    installInterceptorFastPath();
    [direct, plain] = await Promise.all([start(preHandler), start(new PlainInterceptor())]);
  });
  afterAll(() => Promise.all([direct.close(), plain.close()]));

  async function get(app: INestApplication<Server>, path: string): Promise<[number, unknown]> {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/${path}`);
    return [response.status, await response.json()];
  }

  // Beside an interceptor that is none it is called as an interceptor.
  it.each<[string, 'admitted' | 'intercepted' | 'neither']>([
    ...['open', 'free', 'refused', 'later', 'stream', 'failing'].map((path): [string, 'admitted'] => [
      path,
      'admitted',
    ]),
    ['wrapped', 'intercepted'],
    ['wrapped-refused', 'intercepted'],
    ['unknown', 'neither'],
  ])('is called once and leaves the response as it is: /%s is %s', async (path, how) => {
    const { admitted, intercepted } = preHandler;
    expect(await get(direct, path)).toEqual(await get(plain, path));
    expect(preHandler).toMatchObject({
      admitted: admitted + Number(how === 'admitted'),
      intercepted: intercepted + Number(how === 'intercepted'),
    });
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
