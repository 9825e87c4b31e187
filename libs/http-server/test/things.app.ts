import {
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  type OnApplicationShutdown,
  Param,
  Post,
  Query,
  UseGuards,
} from '@nestjs/common';
import { APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { IsString } from 'class-validator';
import {
  ApiError,
  DtoPipe,
  EmptyResponse,
  HttpServerModule,
  type HttpServerOptions,
  JsonResponse,
  ParseBy,
  PlaceGuard,
} from '../src/index.js';

class TeapotError extends Error {}

class NewThing {
  @IsString({ message: 'name must be a text' })
  name!: string;
}

class ListThings {
  @ParseBy((sent) => (/^\d+$/.test(String(sent)) ? Number(sent) : undefined), {
    isOptional: true,
    message: 'limit must be digits, given once',
  })
  limit = 20;
}

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
@UseGuards(PlaceGuard)
class ThingsController {
  @Get('things/:id')
  thing(@Param('id') id: string): JsonResponse {
    if (id === 'teapot') throw new TeapotError();
    return JsonResponse.ok(JSON.stringify({ id }));
  }

  @Get('things')
  list(@Query() { limit }: ListThings, @Query('limit') sent?: string): JsonResponse {
    return JsonResponse.ok(JSON.stringify({ limit, sent }));
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

  @Delete('things/:id')
  remove(): EmptyResponse {
    return new EmptyResponse({ 'X-Left': '0' });
  }

  @Post('things')
  add(@Body() { name }: NewThing): JsonResponse {
    return JsonResponse.created(JSON.stringify({ name }));
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
    most: 100,
    mostPerAddress: 100,
    networkOf: (address) => address,
    dropped: () => undefined,
  },
  loadShedding: {
    maxConcurrentRequests: 4,
    needsPlace: ({ url }) => url?.startsWith('/slow') === true,
    networkOf: () => 'proxied',
    keyOf: () => 'key',
    describeRefusal: (_request, response) => {
      response.setHeader('X-Plan', 'free');
    },
  },
  errors: {
    translate: (exception) =>
      exception instanceof TeapotError
        ? new ApiError('service_unavailable', { message: 'A teapot.' })
        : undefined,
    log: { error: () => undefined },
  },
  observer: {
    begin: () => undefined,
    failed: (_request, code) => events.push(code),
    refusedByParser: () => events.push('parser'),
  },
  shutdown: { drainMs: 500, finishMs: 500 },
};

/** An application that is no pet store. */
@Module({
  imports: [DiscoveryModule, HttpServerModule.forRootAsync({ useFactory: () => Promise.resolve(options) })],
  controllers: [ThingsController],
  providers: [Store, { provide: APP_PIPE, useClass: DtoPipe }],
})
export class ThingsModule {}
