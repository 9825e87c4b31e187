import { All, Body, Controller, HttpCode, Options, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, WithAnySecretKey, WithoutKey } from '@petstore/api-key';
import { contextOf, type EmptyResponse, JsonResponse, otherMethod } from '@petstore/http-server';
import { SkipRateLimit } from '@petstore/rate-limit/nest';
import { MCP_PATH } from '../paths.js';
import { MessageDto } from './message.dto.js';
import { type CallRecord, type Exchange, Protocol } from './protocol.js';

const ALLOW = { Allow: 'OPTIONS, POST' };

/** The Model Context Protocol over HTTP: each POST has one message, and its response is one JSON object or none. */
@Controller(MCP_PATH)
@ApiExcludeController()
export class McpController {
  constructor(private readonly protocol: Protocol) {}

  /** 202 without a body to what wants no response. */
  @Post()
  @HttpCode(202)
  @WithAnySecretKey()
  async receive(
    @Body() body: MessageDto,
    @Caller() caller: Caller,
    @Req() request: Request,
  ): Promise<JsonResponse | undefined> {
    const record: CallRecord = contextOf(request) ?? { operation: undefined, errorCode: undefined };
    const exchange: Exchange = { caller, record };
    const response = await this.protocol.respond(body, request.headers, exchange);
    if (exchange.failure !== undefined) throw exchange.failure as Error;
    if (response.status >= 400)
      record.errorCode = response.status === 404 ? 'route_not_found' : 'bad_request';
    const json = await response.text();
    return json === '' ? undefined : new JsonResponse(response.status, json, { 'Cache-Control': 'no-store' });
  }

  /** Metered by the client's address, as on other paths. */
  @Options()
  @WithoutKey()
  options(): EmptyResponse {
    return otherMethod('OPTIONS', ALLOW);
  }

  /** No stream and no session is offered. Clients ask for them again and again: this is metered nowhere. */
  @All()
  @WithoutKey()
  @SkipRateLimit()
  other(@Req() { method }: Request): EmptyResponse {
    return otherMethod(method, ALLOW);
  }
}
