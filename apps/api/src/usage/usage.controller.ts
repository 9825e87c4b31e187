import { Inject } from '@nestjs/common';
import { KeyUsageHistory } from '@petstore/api-key';
import type { JsonResponse } from '@petstore/http-kernel';
import { Caller } from '../access/caller.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { readResponse } from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { GET_USAGE, USAGE_RESOURCE } from './usage.operations.js';

@ContractController(USAGE_RESOURCE)
export class UsageController {
  constructor(@Inject(KeyUsageHistory) private readonly history: KeyUsageHistory) {}

  @ContractOperation(GET_USAGE)
  async get(@Caller() { keyId, name, plan, scopes, limits }: Caller): Promise<JsonResponse> {
    const { expiresAt, days } = await this.history.of(keyId);
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
