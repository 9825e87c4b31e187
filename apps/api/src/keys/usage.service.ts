import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { KeyUsageCounters } from '@petstore/persistence';
import type { Usage } from './usage.fields.js';

/** How keys are used. */
@Injectable()
export class UsageService {
  constructor(private readonly usage: KeyUsageCounters) {}

  /** The key of a caller and its use, as JSON. */
  async of({ keyId, name, plan, scopes, limits }: Caller): Promise<string> {
    const { expiresAt, days } = await this.usage.historyOf(keyId);
    const usage: Usage = {
      keyId,
      name,
      plan,
      scopes: [...scopes],
      expiresAt,
      limits: { perMinute: limits.perMinute, perDay: limits.perDay },
      days: days.map(({ day, requests, refused }) => ({ date: day, requests, refused })),
    };
    return JSON.stringify(usage);
  }
}
