import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiError } from '@petstore/http-server';
import type { Observable } from 'rxjs';
import { API_BASE_PATH } from '../paths.js';
import { type DeprecationOptions, operationOf } from './operation.js';
import { OPERATION_ERRORS } from './operation.errors.js';
import { OPERATION_SETTINGS, type OperationSettings } from './operations.settings.js';

/** Milliseconds since 1970. */
export type Clock = () => number;

/** Injects the {@link Clock} that dates of the contract are compared with. */
export const CLOCK = Symbol('Clock');

/** Ends an operation on its removal date, where the operator wants that. `@Operation` puts it before deprecated ones. */
@Injectable()
export class SunsetInterceptor implements NestInterceptor {
  constructor(
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(OPERATION_SETTINGS.KEY) private readonly settings: OperationSettings,
  ) {}

  /** @throws ApiError operation_removed */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { deprecation } = operationOf(context.getHandler()) ?? {};
    if (deprecation !== undefined && this.isRemoved(deprecation))
      throw new ApiError(OPERATION_ERRORS.operation_removed, { message: removedMessage(deprecation) });
    return next.handle();
  }

  private isRemoved({ afterSunset, sunset }: DeprecationOptions): boolean {
    return this.settings[afterSunset] === 'remove' && this.now() >= sunset.getTime();
  }
}

/** The message to a client of the removed operation. */
export function removedMessage({ successor: { method, path, usage } }: DeprecationOptions): string {
  const plainUsage = usage.replaceAll('`', '');
  return `This operation has been removed. Use ${method} ${API_BASE_PATH}${path} ${plainUsage}.`;
}
