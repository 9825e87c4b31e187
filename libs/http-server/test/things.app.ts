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
import { ApiError, HttpServerModule, type HttpServerOptions, JsonResponse } from '../src/index.js';

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

/** Called for each request that begins. */
export const onBegin = new Set<() => void>();

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

const options: HttpServerOptions = {
  connections: {
    most: 200,
    mostPerAddress: 200,
    networkOf: (address) => address,
    dropped: () => undefined,
  },
  requests: {
    maxConcurrentRequests: 4,
    begin: () => {
      for (const note of onBegin) note();
    },
    needsSlot: () => false,
    networkOf: () => 'proxied',
    keyOf: () => 'key',
    describeRefusal: () => undefined,
    end: (_request, _response, { errorCode }) => {
      if (errorCode !== undefined) events.push(errorCode);
    },
    refusedByParser: () => events.push('parser'),
  },
  errors: {
    translate: (exception) =>
      exception instanceof TeapotError
        ? new ApiError('service_unavailable', { message: 'A teapot.' })
        : undefined,
    log: { error: (_fields, message) => logged.push(message) },
  },
  helpOf: (code) => `/errors#${code}`,
  shortenPath: () => '/-/-',
  isSecret: () => false,
  shutdown: { drainMs: 500, finishMs: 500 },
};

/** An application that is no pet store. */
@Module({
  imports: [HttpServerModule.forRootAsync({ useFactory: () => Promise.resolve(options) })],
  controllers: [ThingsController],
  providers: [Store],
})
export class ThingsModule {}
