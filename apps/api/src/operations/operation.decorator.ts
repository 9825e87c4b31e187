import { applyDecorators, RequestMapping, RequestMethod, UseInterceptors } from '@nestjs/common';
import { ANY_KEY, RequiresScope, WithAnyKey } from '@petstore/api-key';
import { AcceptMediaTypes } from '@petstore/http-kernel';
import { CarriesOut } from './handled-operations.js';
import { documentOperation } from './operation-document.js';
import { API_BASE_PATH, type OperationDeclaration } from './operation.js';
import { DeferredErrorInterceptor } from './deferred-error.interceptor.js';
import { RemovedOperationInterceptor } from './removed-operation.interceptor.js';

/**
 * Makes a handler carry out an operation of the contract: its route, the scope that the guard asks for, the media
 * types of its body, its deprecation and its part of the document come from the one declaration. Belongs into a
 * `@ContractController`, which answers OPTIONS and 405 for its path.
 */
export function ContractOperation(operation: OperationDeclaration): MethodDecorator {
  const { method, path, scope, body, deprecation } = operation;
  return applyDecorators(
    RequestMapping({ path: API_BASE_PATH + path, method: RequestMethod[method] }),
    CarriesOut(operation),
    scope === ANY_KEY ? WithAnyKey() : RequiresScope(scope),
    ...(body?.mediaTypes === undefined ? [] : [AcceptMediaTypes(body.mediaTypes)]),
    ...(deprecation === undefined ? [] : [UseInterceptors(RemovedOperationInterceptor)]),
    // Targets that are too long are led to paths with a parameter only.
    ...(path.includes(':') ? [UseInterceptors(DeferredErrorInterceptor)] : []),
    documentOperation(operation),
  );
}
