import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { type ExecutionContext, Module, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey } from './api-key.entity.js';
import { CallerThrottlerGuard } from './caller-throttler.guard.js';
import { ErrorFilter } from './error.filter.js';
import { type Caller, type CallersRequest, KeyGuard } from './key.guard.js';
import { Pet } from './pet.entity.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';

function callerOf(context: ExecutionContext): Caller {
  return context.switchToHttp().getRequest<CallersRequest>().caller;
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
export class AppModule {}
