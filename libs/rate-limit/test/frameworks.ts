import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, type DynamicModule, Get, type INestApplication, Module } from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import express from 'express';
import { fastify, type FastifyRequest } from 'fastify';
import 'reflect-metadata';
import {
  createRateLimiter,
  expressRateLimit,
  rateLimitHttp,
  type RateLimiterOptions,
  type SubjectOf,
} from '../src/index.js';
import { fastifyRateLimit } from '../src/fastify.js';
import { RateLimitInterceptor, RateLimitModule } from '../src/nest/index.js';

/** An application that responds "handled" to everything, limited by the adapter of its framework. */
export interface LimitedApp {
  readonly origin: string;
  close(): Promise<void>;
}

type Start = (options: RateLimiterOptions, subjectOf: SubjectOf) => Promise<LimitedApp>;

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listen(server: Server, onClosed: () => Promise<unknown>): Promise<LimitedApp> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await onClosed();
  };
  return { origin: originOf(server), close };
}

export async function listenNest(
  root: DynamicModule,
): Promise<LimitedApp & { readonly app: INestApplication }> {
  const app = await NestFactory.create(root, { logger: false });
  await app.listen(0, '127.0.0.1');
  return { app, origin: originOf(app.getHttpServer() as Server), close: () => app.close() };
}

@Controller()
class Handlers {
  @Get('*path')
  handle(): string {
    return 'handled';
  }
}

@Module({})
class Root {}

/** How each framework is limited, as its manual would have it. */
export const FRAMEWORKS: Readonly<Record<string, Start>> = {
  NestJS: (options, subjectOf) =>
    listenNest({
      module: Root,
      imports: [RateLimitModule.forRoot({ ...options, subjectOf })],
      controllers: [Handlers],
      providers: [{ provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor }],
    }),

  Express: async (options, subjectOf) => {
    const limiter = await createRateLimiter(options);
    const app = express().use(expressRateLimit(limiter, { subjectOf }));
    app.use((_request, response) => response.send('handled'));
    return listen(createServer(app), () => limiter.close());
  },

  Fastify: async (options, subjectOf) => {
    const limiter = await createRateLimiter(options);
    const app = fastify();
    await app.register(fastifyRateLimit, { limiter, subjectOf: ({ raw }: FastifyRequest) => subjectOf(raw) });
    app.addHook('onClose', () => limiter.close());
    app.get('*', () => 'handled');
    return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
  },

  'node:http': async (options, subjectOf) => {
    const limiter = await createRateLimiter(options);
    const handler = rateLimitHttp(limiter, (_request, response) => response.end('handled'), { subjectOf });
    return listen(createServer(handler), () => limiter.close());
  },
};
