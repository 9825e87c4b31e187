import { Controller, Get } from '@nestjs/common';
import { ANY_KEY } from '@petstore/api-key';
import type { JsonResponse } from '@petstore/http-server';
import { KeyUsageCounters } from '@petstore/persistence';
import { Caller } from '../access/caller.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { readResponse } from '../operations/responses.js';
import { SHOP_USAGE, USAGE_DOCS } from './usage.docs.js';

/** How the key of a request is used (docs/contract.md, "Usage"). */
@Controller('v1/usage')
@Resource(USAGE_DOCS)
export class UsageController {
  constructor(private readonly usage: KeyUsageCounters) {}

  @Get()
  @Operation({
    id: 'getUsage',
    summary: 'See how the key is used',
    description:
      'Returns the plan, the scopes and the end of the key that the request comes with, and its requests of the last 30 days, at most five seconds behind. What is left of the limits at this moment stands in the header fields of the response.',
    since: '1.1.0',
    scope: ANY_KEY,
    isConditional: true,
    success: { status: 200, description: 'The key and its use.', schema: 'Usage', example: SHOP_USAGE },
  })
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
