import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  assembleErrorCatalogue,
  distinctHeaders,
  type ErrorDefinition,
  type HeaderDefinition,
  HTTP_HEADERS,
} from '@petstore/http-kernel';
import { type HandledOperation, operationsOf } from './handled-operations.js';
import { errorHeadersOf, errorsOf, successHeadersOf } from './operation-answers.js';
import { requestHeadersOf } from './operation-document.js';
import { allowedMethods } from './path-methods.js';
import { API_BASE_PATH } from './operation.js';
import { type Resource, resourceOf } from './contract-controller.decorator.js';
import { RoutePattern } from './route-pattern.js';

interface MatchedOperation {
  readonly operation: HandledOperation;
  readonly pattern: RoutePattern;
}

/** Every operation of the application, as its controllers declare them, and what follows for the whole. */
@Injectable()
export class OperationRegistry {
  readonly operations: readonly HandledOperation[];
  readonly resources: readonly Resource[];
  /** Every error that the application answers with, by status. */
  readonly errors: readonly ErrorDefinition[];
  /** Every header field that answers of the contract may carry. */
  readonly responseHeaders: readonly HeaderDefinition[];
  private readonly matched: readonly MatchedOperation[];

  /**
   * @throws Error when two operations have one id, or one method and path; when one path is in two controllers; when
   * one error code or header field is defined twice
   */
  constructor(@Inject(DiscoveryService) discovery: Pick<DiscoveryService, 'getControllers'>) {
    const controllers = discovery.getControllers().flatMap(({ metatype }) => metatype ?? []);
    const byController = controllers.map((controller) => operationsOf(controller));
    this.operations = byController.flat();
    this.resources = controllers.flatMap((controller) => resourceOf(controller) ?? []);
    refuseRepeated(
      'id',
      this.operations.map(({ id }) => id),
    );
    refuseRepeated(
      'route',
      this.operations.map(({ method, path }) => `${method} ${path}`),
    );
    // The methods that a path allows are known where its controller is.
    refuseRepeated(
      'path',
      byController.flatMap((ofOne) => [...new Set(ofOne.map(({ path }) => path))]),
    );
    this.errors = assembleErrorCatalogue(this.operations.flatMap(errorsOf));
    this.responseHeaders = distinctHeaders(this.operations.flatMap(answeredHeadersOf));
    this.matched = this.operations.map((operation) => ({
      operation,
      pattern: new RoutePattern(API_BASE_PATH + operation.path),
    }));
  }

  /** Methods that operations have, HEAD included, sorted. */
  get methods(): readonly string[] {
    return allowedMethods(this.operations.map(({ method }) => method)).filter(
      (method) => method !== 'OPTIONS',
    );
  }

  /** Names of header fields that requests may carry for an operation, sorted. */
  get requestHeaders(): readonly string[] {
    return [...new Set(this.operations.flatMap(requestHeadersOf).map(({ name }) => name))].sort();
  }

  /** The operation that a request asks for, before it is routed. @param target path and query */
  match(method: string | undefined, target: string): HandledOperation | undefined {
    const asked = method === 'HEAD' ? 'GET' : method;
    for (const { operation, pattern } of this.matched)
      if (operation.method === asked && pattern.matches(target)) return operation;
    return undefined;
  }

  /** A short path in place of a long one: of the operation that takes the long one for an id, else of none. */
  shortenPath(path: string): string {
    const found = this.matched.find(
      ({ operation, pattern }) => operation.path.includes(':') && pattern.matches(path),
    );
    if (found !== undefined) return withoutIds(found.operation.path);
    return path === API_BASE_PATH || path.startsWith(`${API_BASE_PATH}/`) ? `${API_BASE_PATH}/-` : '/-/-';
  }
}

/** The path with `-` for each parameter, which no operation takes for an id. */
function withoutIds(path: string): string {
  return API_BASE_PATH + path.replaceAll(/:\w+/g, '-');
}

function answeredHeadersOf(operation: HandledOperation): HeaderDefinition[] {
  return [
    ...[operation.success, ...(operation.alternatives ?? [])].flatMap((success) =>
      successHeadersOf(operation, success),
    ),
    ...errorsOf(operation).flatMap((error) => errorHeadersOf(operation, [error])),
    // Of OPTIONS and 405.
    HTTP_HEADERS.Allow,
    ...(operation.method === 'PATCH' ? [HTTP_HEADERS['Accept-Patch']] : []),
  ];
}

function refuseRepeated(what: string, values: readonly string[]): void {
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) throw new Error(`Two operations have the ${what} ${repeated}.`);
}
