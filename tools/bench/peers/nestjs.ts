import 'reflect-metadata';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import {
  type ArgumentsHost,
  Body,
  type CanActivate,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  Res,
  UnauthorizedException,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import type { Request, Response } from 'express';
import {
  Column,
  DataSource,
  Entity,
  Index,
  LessThan,
  PrimaryGeneratedColumn,
  type Repository,
} from 'typeorm';
import { Callers, DATABASE_URL, DAY_MS, errorBody, linkOf, LISTEN, MINUTE_MS, REDIS_URL } from './common.mjs';

/** NestJS with what its manual has for each task: guards, pipes, throttler, TypeORM, serialization. */

enum PetStatus {
  Available = 'available',
  Pending = 'pending',
  Sold = 'sold',
}

@Entity('pets')
@Index('pets_status_id', ['status', 'id'])
@Exclude()
class Pet {
  // PostgreSQL sends a bigint as text.
  @Expose()
  @Transform(({ value }) => Number(value))
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: number;

  @Expose()
  @Column('text')
  name: string;

  @Expose()
  @Transform(({ value }) => Number(value))
  @Column('bigint', { name: 'category_id' })
  categoryId: number;

  @Expose()
  @Column('text')
  status: PetStatus;
}

class ListPetsQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;

  @IsOptional()
  @Matches(/^[1-9]\d{0,17}$/)
  cursor?: string;
}

class CreatePetDto {
  @IsString()
  @Length(1, 255)
  @Matches(/\S/)
  name: string;

  @IsInt()
  @Min(1)
  categoryId: number;

  @IsEnum(PetStatus)
  status: PetStatus = PetStatus.Available;
}

@Injectable()
class PetsService {
  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {}

  /** One more than the limit, which says whether there is another page. */
  list({ limit, status, cursor }: ListPetsQuery): Promise<Pet[]> {
    const id = cursor === undefined ? undefined : LessThan(cursor as unknown as number);
    return this.pets.find({
      where: { ...(status && { status }), ...(id && { id }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
  }

  async get(id: string): Promise<Pet> {
    const pet = await this.pets.findOneBy({ id: id as unknown as number });
    if (pet === null) throw new NotFoundException();
    return pet;
  }

  create(dto: CreatePetDto): Promise<Pet> {
    return this.pets.save(this.pets.create(dto));
  }
}

@Controller('v1/pets')
@UseInterceptors(ClassSerializerInterceptor)
class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  async list(@Query() query: ListPetsQuery, @Res({ passthrough: true }) response: Response): Promise<Pet[]> {
    const found = await this.pets.list(query);
    const page = found.slice(0, query.limit);
    const link = linkOf(query, page.at(-1)?.id, found.length > query.limit);
    if (link !== undefined) response.set('Link', link);
    return page;
  }

  @Get(':petId')
  get(@Param('petId') id: string): Promise<Pet> {
    return this.pets.get(id);
  }

  @Post()
  async create(@Body() dto: CreatePetDto, @Res({ passthrough: true }) response: Response): Promise<Pet> {
    const pet = await this.pets.create(dto);
    response.location(`/v1/pets/${pet.id}`);
    return pet;
  }
}

type Caller = Awaited<ReturnType<Callers['find']>>;
type CallersRequest = Request & { caller: Caller };

function callerOf(context: ExecutionContext): Caller {
  return context.switchToHttp().getRequest<CallersRequest>().caller;
}

/** Finds who sends a request. The throttler counts callers without a key, too, and then refuses them. */
@Injectable()
class KeyGuard implements CanActivate {
  private readonly callers: Callers;

  constructor(source: DataSource) {
    this.callers = new Callers(async ({ text, values }) => ({ rows: await source.query(text, values) }));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallersRequest>();
    request.caller = await this.callers.find(request.get('Authorization'), request.ip);
    return true;
  }
}

/** Counts by caller. */
@Injectable()
class CallerThrottlerGuard extends ThrottlerGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    if (!callerOf(context).known) throw new UnauthorizedException();
    return true;
  }

  protected override getTracker(request: Record<string, unknown>): Promise<string> {
    return Promise.resolve((request as unknown as CallersRequest).caller.id);
  }

  /** Limits are of a caller, over all handlers. */
  protected override generateKey(context: ExecutionContext, tracker: string, name: string): string {
    return `nestjs:${tracker}:${name}`;
  }
}

@Catch()
class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const known = exception instanceof HttpException ? exception : undefined;
    const status = known?.getStatus() ?? 500;
    const response = host.switchToHttp().getResponse<Response>();
    response.status(status).json(errorBody(status, known?.message));
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, entities: [Pet], installExtensions: false }),
    TypeOrmModule.forFeature([Pet]),
    ThrottlerModule.forRoot({
      throttlers: [
        // The one called "default" has the headers without a suffix.
        { name: 'default', ttl: MINUTE_MS, limit: (context) => callerOf(context).perMinute },
        { name: 'day', ttl: DAY_MS, limit: (context) => callerOf(context).perDay },
      ],
      storage: new ThrottlerStorageRedisService(REDIS_URL),
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
await app.listen(LISTEN.port, LISTEN.host);
