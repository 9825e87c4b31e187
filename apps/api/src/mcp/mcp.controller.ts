import { All, Body, Controller, HttpCode, Options, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, WithAnySecretKey, WithoutKey } from '@petstore/api-key';
import { contextOf, type EmptyResponse, JsonResponse, otherMethod } from '@petstore/http-server';
import { SkipRateLimit } from '@petstore/rate-limit/nest';
import { MCP_PATH } from '../operations/link-builder.js';
import { idOf, MessageDto, messageOf } from './message.dto.js';
import { type CallRecord, Protocol, ProtocolError } from './protocol.js';

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
    const id = idOf(body);
    try {
      const message = messageOf(body);
      if (message === undefined)
        throw new ProtocolError(-32600, 'The body must be one message of JSON-RPC 2.0.', 400);
      const result = await this.protocol.respond(message, request.headers, caller, record);
      return result === undefined ? undefined : respond(200, `"id":${id ?? ''},"result":${result}`);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      record.errorCode = error.status === 404 ? 'route_not_found' : 'bad_request';
      const { code, message, data } = error;
      const json = JSON.stringify({ code, message, data });
      return respond(error.status, `${id === undefined ? '' : `"id":${id},`}"error":${json}`);
    }
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

function respond(status: number, members: string): JsonResponse {
  return new JsonResponse(status, `{"jsonrpc":"2.0",${members}}`, { 'Cache-Control': 'no-store' });
}
