import { Controller, Get, Injectable, Module, type OnApplicationShutdown, Param } from '@nestjs/common';
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

/** What happened, in its order. */
export const events: string[] = [];

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

const observer: RequestObserver = {
  begin: () => undefined,
  end: (_request, _response, { errorCode }) => {
    if (errorCode !== undefined) events.push(errorCode);
  },
  refusedByParser: () => events.push('parser'),
  failed: () => undefined,
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
