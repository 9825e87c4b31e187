import { All, applyDecorators, Controller, HttpCode, Options, Req } from '@nestjs/common';
import type { Request } from 'express';
import { WithoutKey } from '@petstore/api-key';
import {
  ApiError,
  Documented,
  EmptyResponse,
  type SchemaObject,
  UndocumentedRoute,
} from '@petstore/http-kernel';
import { deferredErrorOf } from '@petstore/http-server';
import { operationsOf } from './handled-operations.js';
import { pathHeaders } from './path-methods.js';
import { API_BASE_PATH, type OperationDeclaration } from './operation.js';

/** A group of operations, as the document shows them. */
export interface Resource {
  readonly tag: { readonly name: string; readonly description: string };
  /** DTO classes of answers that stand in the document by name. */
  readonly models?: readonly (new () => object)[];
  /** Schemas that decorators cannot make, such as named arrays. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
  /** Requests that the service itself sends, by name (OpenAPI 3.1, "webhooks"). */
  readonly webhooks?: Readonly<Record<string, object>>;
}

const resources = new WeakMap<object, Resource>();

/** What a controller was declared as; `undefined` for those without operations of the contract. */
export function resourceOf(controller: object): Resource | undefined {
  return resources.get(controller);
}

/**
 * A controller whose methods are operations of the contract. On each of its paths it also answers OPTIONS, without
 * a key, and any other method with 405.
 */
export function ContractController(resource: Resource): ClassDecorator {
  const { tag, models = [] } = resource;
  return (controller) => {
    resources.set(controller, resource);
    Controller()(controller);
    Documented(
      ({ ApiTags }) => ApiTags(tag.name),
      ({ ApiExtraModels }) => ApiExtraModels(...models),
    )(controller);
    const byPath = new Map<string, OperationDeclaration[]>();
    for (const operation of operationsOf(controller)) {
      byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
    }
    for (const [path, operations] of byPath) answerOtherMethods(controller, path, operations);
  };
}

function answerOtherMethods(
  { prototype }: { readonly prototype: object },
  path: string,
  operations: readonly OperationDeclaration[],
): void {
  const route = API_BASE_PATH + path;
  const headers = pathHeaders(operations);
  const options = new EmptyResponse(headers);
  addHandler(prototype, `OPTIONS ${path}`, () => options, [Options(route), HttpCode(204), WithoutKey()]);
  const refuse = (request: Request): never => {
    throw deferredErrorOf(request) ?? new ApiError('method_not_allowed', { headers });
  };
  // Behind all operations of the path: Nest registers the routes of a path in the order of the methods.
  addHandler(prototype, `other methods of ${path}`, refuse, [All(route)]);
}

function addHandler(
  prototype: object,
  name: string,
  handler: (request: Request) => unknown,
  decorators: readonly MethodDecorator[],
): void {
  const descriptor = { value: handler, configurable: true, enumerable: false, writable: true };
  Object.defineProperty(prototype, name, descriptor);
  applyDecorators(...decorators, UndocumentedRoute())(prototype, name, descriptor);
  Req()(prototype, name, 0);
}
