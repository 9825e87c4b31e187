import {
  BadRequestException,
  ConflictException,
  Controller,
  Get,
  HttpException,
  Injectable,
  InternalServerErrorException,
  Module,
  NotFoundException,
  type OnApplicationShutdown,
  Param,
  ServiceUnavailableException,
} from '@nestjs/common';
import {
  ApiError,
  ERROR_MAPPER,
  type ErrorMapper,
  HttpServerModule,
  JsonResponse,
  REQUEST_OBSERVER,
  type RequestObserver,
  SHUTDOWN_TIMES,
} from '../src/index.js';

class TeapotError extends Error {}

const NEST_EXCEPTIONS: Readonly<Record<string, HttpException>> = {
  missing: new NotFoundException('There is no such cat.'),
  wrong: new BadRequestException({ message: ['age must be a number', 'name must be text'] }),
  taken: new ConflictException({ code: 'name_taken', message: 'Another cat has this name.' }),
  nameless: new ConflictException('Another cat has this name.'),
  // As Nest makes it of an error of Express.
  undecodable: new BadRequestException("Failed to decode param '%zz'", {
    cause: Object.assign(new URIError(), { status: 400 }),
  }),
  busy: new ServiceUnavailableException('The cats are asleep.', { cause: new Error('a secret') }),
  teapot: new HttpException('teapot', 418),
  broken: new InternalServerErrorException('The password of the database is wrong.'),
  moved: new HttpException('elsewhere', 302),
};

/** What happened, in its order. */
export const events: string[] = [];

/** Messages of the log. */
export const logged: string[] = [];

/** Holds the requests for `/slow` until they are let go. */
export class Gate {
  static release: () => void = () => undefined;
  static released = Promise.resolve();

  static close(): void {
    Gate.released = new Promise((resolve) => (Gate.release = resolve));
  }
}

@Controller()
class ThingsController {
  @Get('things/:id')
  thing(@Param('id') id: string): JsonResponse {
    if (id === 'teapot') throw new TeapotError();
    return JsonResponse.ok(JSON.stringify({ id }));
  }

  /** Throws one of Nest's exceptions. */
  @Get('exceptions/:name')
  exception(@Param('name') name: string): never {
    throw NEST_EXCEPTIONS[name] ?? new NotFoundException();
  }

  /** More than the system takes in for a connection. */
  @Get('large')
  large(): JsonResponse {
    return JsonResponse.ok(Buffer.alloc(32 * 1024 * 1024, ' '));
  }

  @Get('slow')
  async slow(): Promise<JsonResponse> {
    events.push('begun');
    await Gate.released;
    events.push('responded');
    return JsonResponse.ok('{}');
  }
}

/** Something that requests need. */
@Injectable()
class Store implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    events.push('store closed');
  }
}

const observer: RequestObserver = {
  begin: () => undefined,
  end: (_request, _response, { errorCode }) => {
    if (errorCode !== undefined) events.push(errorCode);
  },
  refusedByParser: () => events.push('parser'),
  failed: () => logged.push('request failed'),
  mayLog: () => true,
};

const errors: ErrorMapper = {
  toApiError: (exception) =>
    exception instanceof TeapotError
      ? new ApiError('service_unavailable', { message: 'A teapot.' })
      : undefined,
  helpOf: (code) => `/errors#${code}`,
};

/** An application that is no pet store. */
@Module({
  imports: [
    HttpServerModule.with({
      providers: [
        { provide: REQUEST_OBSERVER, useValue: observer },
        { provide: ERROR_MAPPER, useValue: errors },
        { provide: SHUTDOWN_TIMES, useValue: { drainMs: 500, finishMs: 500 } },
      ],
    }),
  ],
  controllers: [ThingsController],
  providers: [Store],
})
export class ThingsModule {}
