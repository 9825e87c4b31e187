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
import { map, type Observable, of } from 'rxjs';
import { installInterceptorFastPath } from './interceptor-fast-path.js';

/** Refuses whom it is told to, in the way that interceptors do everywhere. */
class PlainInterceptor {
  intercepted = 0;

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    this.intercepted++;
    const { url } = context.switchToHttp().getRequest<Request>();
    await Promise.resolve();
    if (url.endsWith('refused')) throw new ForbiddenException(`${context.getClass().name} is closed`);
    return next.handle();
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

describe('an interceptor', () => {
  const consumer = InterceptorsConsumer.prototype as unknown as Record<string, unknown>;
  const own = consumer['intercept'];
  const interceptor = new PlainInterceptor();
  let direct: INestApplication<Server>;
  let plain: INestApplication<Server>;
  beforeAll(async () => {
    plain = await start(new PlainInterceptor());
    installInterceptorFastPath();
    installInterceptorFastPath();
    direct = await start(interceptor);
  });
  afterAll(() => Promise.all([direct.close(), plain.close()]));

  /** By Nest's own way, or directly. */
  async function get(app: INestApplication<Server>, path: string): Promise<[number, unknown]> {
    const installed = consumer['intercept'];
    if (app === plain) consumer['intercept'] = own;
    const { port } = app.getHttpServer().address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/${path}`);
    consumer['intercept'] = installed;
    return [response.status, await response.json()];
  }

  it.each([...['open', 'free', 'refused', 'later', 'stream', 'failing'], ...['wrapped', 'wrapped-refused']])(
    'is called once, and the response is what it is without the fast path: /%s',
    async (path) => {
      const { intercepted } = interceptor;
      expect(await get(direct, path)).toEqual(await get(plain, path));
      expect(interceptor.intercepted).toBe(intercepted + 1);
    },
  );
});

it('the fast path is not installed over a method that somebody else has replaced', () => {
  const consumer = InterceptorsConsumer.prototype as unknown as Record<string, unknown>;
  const installed = consumer['intercept'];
  consumer['intercept'] = () => undefined;
  try {
    expect(installInterceptorFastPath).toThrow('@nestjs/core');
  } finally {
    consumer['intercept'] = installed;
  }
});
