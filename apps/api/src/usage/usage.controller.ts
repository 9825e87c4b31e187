import { Controller, Get } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { KeyUsageCounters } from '@petstore/persistence';
import { Caller } from '../access/caller.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { readResponse } from '../operations/responses.js';
import { USAGE_DOCS, USAGE_OPERATIONS } from './usage.docs.js';

/** How the key of a request is used (docs/contract.md, "Usage"). */
@Controller('v1/usage')
@Resource(USAGE_DOCS)
export class UsageController {
  constructor(private readonly usage: KeyUsageCounters) {}

  @Get()
  @Operation(USAGE_OPERATIONS.getUsage)
  async get(@Caller() { keyId, name, plan, scopes, limits }: Caller): Promise<JsonResponse> {
    const { expiresAt, days } = await this.usage.historyOf(keyId);
    return readResponse(
      JSON.stringify({
        keyId,
        name,
        plan,
        scopes: [...scopes],
        expiresAt,
        limits: { perMinute: limits.perMinute, perDay: limits.perDay },
        days: days.map(({ day, requests, refused }) => ({ date: day, requests, refused })),
      }),
    );
  }
}
