import { Controller, Get, Injectable, Module, type OnApplicationShutdown, Param } from '@nestjs/common';
import { ApiError, HttpServerModule, type HttpServerOptions, JsonResponse } from '../src/index.js';

class TeapotError extends Error {}

/** What happened, in its order. */
export const events: string[] = [];

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
    log: { error: () => undefined },
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
