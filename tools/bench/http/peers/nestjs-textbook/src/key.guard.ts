import { createHmac } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { Repository } from 'typeorm';
import { ApiKey } from './api-key.entity.js';

export interface Caller {
  readonly id: string;
  readonly known: boolean;
  readonly perMinute: number;
  readonly perDay: number;
}

export type CallersRequest = Request & { caller: Caller };

const BELIEVED_FOR = 5_000;

/** Says who sends a request; whether it may is for the throttler to say, which also counts strangers. */
@Injectable()
export class KeyGuard implements CanActivate {
  private readonly remembered = new Map<string, { key: ApiKey | null; readAt: number }>();

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallersRequest>();
    const [scheme, secret] = request.get('Authorization')?.split(' ') ?? [];
    const key = scheme?.toLowerCase() === 'bearer' && secret ? await this.find(secret) : null;
    request.caller =
      key === null
        ? { id: `address:${request.ip}`, known: false, perMinute: 1_000_000, perDay: 1_000_000 }
        : { id: key.id, known: true, perMinute: key.perMinute, perDay: key.perDay };
    return true;
  }

  private async find(secret: string): Promise<ApiKey | null> {
    const hash = createHmac('sha256', process.env.API_KEY_PEPPER ?? '')
      .update(secret)
      .digest('base64url');
    const known = this.remembered.get(hash);
    if (known !== undefined && Date.now() - known.readAt < BELIEVED_FOR) return known.key;
    const readAt = Date.now();
    const key = await this.keys.findOneBy({ hash });
    this.remembered.set(hash, { key, readAt });
    return key;
  }
}
