import 'reflect-metadata';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Module,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Response } from 'express';
import { ApiKey, callerOf, CallerThrottlerGuard, KeyGuard } from './callers.js';
import { Pet, PetsController, PetsService } from './pets.js';

const CODES: Record<number, string> = {
  400: 'validation_failed',
  401: 'invalid_api_key',
  404: 'pet_not_found',
  429: 'rate_limit_exceeded',
};

@Catch()
class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    const message = exception instanceof HttpException ? exception.message : 'Something went wrong.';
    const response = host.switchToHttp().getResponse<Response>();
    response.status(status).json({ code: CODES[status] ?? 'internal_error', message, status });
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      entities: [Pet, ApiKey],
      installExtensions: false,
    }),
    TypeOrmModule.forFeature([Pet, ApiKey]),
    ThrottlerModule.forRoot({
      throttlers: [
        // The one called "default" has the headers without a suffix.
        { name: 'default', ttl: 60_000, limit: (context) => callerOf(context).perMinute },
        { name: 'day', ttl: 86_400_000, limit: (context) => callerOf(context).perDay },
      ],
      storage: new ThrottlerStorageRedisService(process.env.REDIS_URL),
    }),
  ],
  controllers: [PetsController],
  providers: [
    PetsService,
    { provide: APP_GUARD, useClass: KeyGuard },
    { provide: APP_GUARD, useClass: CallerThrottlerGuard },
    { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(Number(process.env.PORT), '127.0.0.1');
