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
import type { Request } from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { map, type Observable, of } from 'rxjs';
import { installInterceptorFastPath } from './interceptor-fast-path.js';

/** Refuses whom it is told to, in the way that interceptors do everywhere. */
class PlainGate {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await this.decide(context);
    return next.handle();
  }

  protected async decide(context: ExecutionContext): Promise<void> {
    const { url } = context.switchToHttp().getRequest<Request>();
    await Promise.resolve();
    if (url.endsWith('refused')) throw new ForbiddenException(`${context.getClass().name} is closed`);
  }
}

class DirectGate extends PlainGate {
  admit(context: ExecutionContext): Promise<void> | undefined {
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

async function start(gate: PlainGate): Promise<INestApplication<Server>> {
  const app = await NestFactory.create<INestApplication<Server>>(
    {
      module: DoorsModule,
      controllers: [Doors],
      providers: [{ provide: APP_INTERCEPTOR, useValue: gate }],
    },
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  return app;
}

let apps: INestApplication<Server>[];

beforeAll(async () => {
  installInterceptorFastPath();
  apps = await Promise.all([start(new DirectGate()), start(new PlainGate())]);
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

describe('a gate', () => {
  it.each(['open', 'free', 'refused', 'later', 'stream', 'failing', 'wrapped', 'wrapped-refused', 'unknown'])(
    'that is asked directly leaves every answer as it is: /%s',
    async (path) => {
      const [direct, plain] = await Promise.all(
        apps.map(async (app) => {
          const { port } = app.getHttpServer().address() as AddressInfo;
          const response = await fetch(`http://127.0.0.1:${port}/${path}`);
          return { status: response.status, body: await response.json() };
        }),
      );
      expect(direct).toEqual(plain);
    },
  );
});
