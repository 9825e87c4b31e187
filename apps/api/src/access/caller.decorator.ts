import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { callerOf, type Caller as AcceptedCaller } from '@petstore/api-key';

/** Whose key the request was accepted with. */
export type Caller = AcceptedCaller;

/** The caller as a handler's argument; the guard has seen to it that there is one. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<IncomingMessage>()),
);
