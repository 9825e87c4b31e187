import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import {
  assembleErrorCatalogue,
  bodyOptionsOf,
  distinctHeaders,
  type ErrorDefinition,
  type HeaderDefinition,
  HTTP_HEADERS,
  type ResponseHeaders,
} from '@petstore/http-server';
import { namedRoutesOf, operationsOf } from './handled-operations.js';
import { requestHeadersOf } from './operation-document.js';
import { API_BASE_PATH, type HandledOperation } from './operation.js';
import { errorHeadersOf, errorsOf, successHeadersOf } from './operation-responses.js';
import { type ResourceOptions, resourceOf } from './resource.decorator.js';
import { UNMATCHED } from './route-names.js';
import { RoutePattern } from './route-pattern.js';

/** A path of the contract with its operations. */
interface OperationPath {
  readonly path: string;
  readonly pattern: RoutePattern;
  /** By method. */
  readonly operations: ReadonlyMap<string, HandledOperation>;
  /** Header fields that say how the path can be used: `Allow`, and `Accept-Patch` (RFC 5789, section 3.1). */
  readonly headers: ResponseHeaders;
}

/** Every operation of the application, as the decorators of its controllers say, and what follows for the whole. */
@Injectable()
export class OperationRegistry {
  readonly operations: readonly HandledOperation[];
  readonly resources: readonly ResourceOptions[];
  /** Every error that the application responds with, by status. */
  readonly errors: readonly ErrorDefinition[];
  /** Every header field that responses of the contract may carry. */
  readonly responseHeaders: readonly HeaderDefinition[];
  /** By path as Express writes it. */
  private readonly paths: ReadonlyMap<string, OperationPath>;
  /** Names of routes that are no operation of the contract, by path. */
  private readonly routeNames: ReadonlyMap<string, string>;

  /** @throws Error when two operations have one id, or one route; when an error code or header field is defined twice */
  constructor(discovery: DiscoveryService) {
    const controllers = discovery.getControllers().flatMap(({ metatype }) => (metatype as Type | null) ?? []);
    this.operations = controllers.flatMap(operationsOf);
    this.resources = controllers.flatMap((controller) => resourceOf(controller) ?? []);
    this.routeNames = new Map(controllers.flatMap(namedRoutesOf));
    this.paths = pathsOf(this.operations);
    this.errors = assembleErrorCatalogue(this.operations.flatMap(errorsOf));
    this.responseHeaders = distinctHeaders(this.operations.flatMap(responseHeadersOf));
  }

  /** Methods that operations have, HEAD included, sorted. */
  get methods(): readonly string[] {
    const methods = new Set(this.operations.map(({ method }) => method));
    return allowedMethods(methods).filter((method) => method !== 'OPTIONS');
  }

  /** Names of header fields that requests may carry for an operation, sorted. */
  get requestHeaders(): readonly string[] {
    return [...new Set(this.operations.flatMap(requestHeadersOf).map(({ name }) => name))].sort();
  }

  /** The operation that a request is for, before it is routed. @param target path and query */
  match(method = '', target = ''): HandledOperation | undefined {
    return this.pathOf(target)?.operations.get(method === 'HEAD' ? 'GET' : method);
  }

  /** Header fields that say how the path of a target can be used; `undefined` for a path without operations. */
  pathHeaders(target: string): ResponseHeaders | undefined {
    return this.pathOf(target)?.headers;
  }

  /** A short path in place of a long one: of the operations that take the long one for an id, else of none. */
  shortenPath(target: string): string {
    const { path = '' } = this.pathOf(target) ?? {};
    if (path.includes(':')) return path.replaceAll(/:\w+/g, '-');
    return target === API_BASE_PATH || target.startsWith(`${API_BASE_PATH}/`) ? `${API_BASE_PATH}/-` : '/-/-';
  }

  /**
   * What a request is called in the log, in metrics and in traces, once the router has seen it: the id of its operation,
   * else one of a few words; `undefined` when the router has found no route.
   */
  nameOf({ route, method = '' }: RoutedRequest): string | undefined {
    const path = route?.path;
    if (path === undefined) return undefined;
    const operation = this.paths.get(path)?.operations.get(method === 'HEAD' ? 'GET' : method);
    return operation?.id ?? this.routeNames.get(path) ?? (method === 'OPTIONS' ? 'options' : UNMATCHED);
  }

  private pathOf(target: string): OperationPath | undefined {
    for (const path of this.paths.values()) if (path.pattern.matches(target)) return path;
    return undefined;
  }
}

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

function pathsOf(operations: readonly HandledOperation[]): ReadonlyMap<string, OperationPath> {
  requireDistinct('id', operations, ({ id }) => id);
  requireDistinct('route', operations, ({ method, path }) => `${method} ${path}`);
  const paths = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const ofPath = new Map(
      operations.filter((each) => each.path === path).map((each) => [each.method, each]),
    );
    const patch = ofPath.get('PATCH');
    const headers = {
      Allow: allowedMethods(new Set(ofPath.keys())).join(', '),
      ...(patch?.body && { 'Accept-Patch': bodyOptionsOf(patch.body.dto).mediaTypes.join(', ') }),
    };
    const route = API_BASE_PATH + path;
    return { path: route, pattern: new RoutePattern(route), operations: ofPath, headers };
  });
  return new Map(paths.map((path) => [path.path, path]));
}

/** The methods of a path, sorted: HEAD goes with GET. */
function allowedMethods(methods: ReadonlySet<string>): readonly string[] {
  return ['OPTIONS', ...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort();
}

function responseHeadersOf(operation: HandledOperation): HeaderDefinition[] {
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

function requireDistinct(
  what: string,
  operations: readonly HandledOperation[],
  valueOf: (operation: HandledOperation) => string,
): void {
  const values = operations.map(valueOf);
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) throw new Error(`Two operations have the ${what} ${repeated}.`);
}
