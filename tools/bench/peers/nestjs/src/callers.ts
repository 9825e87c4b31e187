import { createHmac } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { Column, Entity, PrimaryColumn, type Repository } from 'typeorm';

@Entity('bench_keys')
export class ApiKey {
  @PrimaryColumn('text')
  hash: string;

  @Column('text')
  id: string;

  @Column('integer', { name: 'per_minute' })
  perMinute: number;

  @Column('integer', { name: 'per_day' })
  perDay: number;
}

interface Caller {
  readonly id: string;
  readonly known: boolean;
  readonly perMinute: number;
  readonly perDay: number;
}

type CallersRequest = Request & { caller: Caller };

export function callerOf(context: ExecutionContext): Caller {
  return context.switchToHttp().getRequest<CallersRequest>().caller;
}

const CACHED_MS = 5_000;

/** Finds who sends a request. The throttler counts callers without a key, too, and then refuses them. */
@Injectable()
export class KeyGuard implements CanActivate {
  private readonly cached = new Map<string, { key: ApiKey | null; at: number }>();

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
    const cached = this.cached.get(hash);
    if (cached !== undefined && Date.now() - cached.at < CACHED_MS) return cached.key;
    const at = Date.now();
    const key = await this.keys.findOneBy({ hash });
    this.cached.set(hash, { key, at });
    return key;
  }
}

/** Counts by caller. */
@Injectable()
export class CallerThrottlerGuard extends ThrottlerGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    if (!callerOf(context).known) throw new UnauthorizedException();
    return true;
  }

  protected override getTracker(request: Record<string, unknown>): Promise<string> {
    return Promise.resolve((request as unknown as CallersRequest).caller.id);
  }

  /** Limits are of a caller, over all handlers. */
  protected override generateKey(context: ExecutionContext, tracker: string, name: string): string {
    return `nestjs:${tracker}:${name}`;
  }
}
