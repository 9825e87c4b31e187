import { Controller, Get } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { Caller } from '@petstore/api-key';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { readResponse } from '../operations/responses.js';
import { USAGE_DOCS, USAGE_OPERATIONS } from './usage.docs.js';
import { UsageService } from './usage.service.js';

/** How the key of a request is used (docs/contract.md, "Usage"). */
@Controller('v1/usage')
@Resource(USAGE_DOCS)
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @Operation(USAGE_OPERATIONS.getUsage)
  async get(@Caller() caller: Caller): Promise<JsonResponse> {
    return readResponse(await this.usage.of(caller));
  }
}
