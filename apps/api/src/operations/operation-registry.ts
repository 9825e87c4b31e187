import { Injectable, type Type } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { DiscoveryService } from '@nestjs/core';
import {
  assembleErrorCatalogue,
  bodyOptionsOf,
  distinctHeaders,
  type ErrorDefinition,
  type HeaderDefinition,
  HTTP_ERRORS,
  HTTP_HEADERS,
  type ResponseHeaders,
} from '@petstore/http-server';
import { operationsOf, resourceOf } from './operation.decorator.js';
import type { HandledOperation, ResourceOptions } from './operation.js';
import { API_BASE_PATH } from '../paths.js';
import { errorHeadersOf, requestHeadersOf, successHeadersOf } from './operation-document.js';
import { errorsOf } from './operation.errors.js';

/** A path of the contract with its operations. */
interface OperationPath {
  readonly path: string;
  /** What targets of its requests look like, before they are routed. */
  readonly target: RegExp;
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

  /** @throws Error when two operations have one id, or one route; when an error code or header field is defined twice */
  constructor(discovery: DiscoveryService) {
    const controllers = discovery.getControllers().flatMap(({ metatype }) => (metatype as Type | null) ?? []);
    this.operations = controllers.flatMap(operationsOf);
    this.resources = controllers.flatMap((controller) => resourceOf(controller) ?? []);
    this.paths = pathsOf(this.operations);
    this.errors = assembleErrorCatalogue([
      ...Object.values(HTTP_ERRORS),
      ...this.operations.flatMap(errorsOf),
    ]);
    this.responseHeaders = distinctHeaders(this.operations.flatMap(responseHeadersOf));
  }

  /** Methods that operations have, HEAD included, sorted. */
  get methods(): readonly string[] {
    const methods = new Set(this.operations.map(({ method }) => method));
    return allowedMethods(methods).filter((method) => method !== 'OPTIONS');
  }

  /** Names of header fields that requests may carry for an operation. */
  get requestHeaders(): readonly string[] {
    return requestHeaderNames(this.operations);
  }

  /** Names of those for an operation that only reads. */
  get readRequestHeaders(): readonly string[] {
    return requestHeaderNames(this.operations.filter(({ method }) => method === 'GET'));
  }

  /** Whether a request needs no key: OPTIONS on a path of the contract. */
  readonly isOpen = ({ method, url = '' }: IncomingMessage): boolean =>
    method === 'OPTIONS' && this.pathHeaders(url) !== undefined;

  /** Header fields that say how the path of a target can be used; `undefined` for a path without operations. */
  pathHeaders(target: string): ResponseHeaders | undefined {
    for (const path of this.paths.values()) if (path.target.test(target)) return path.headers;
    return undefined;
  }

  /** The operation of a route that the router has found. @param path as Express writes it */
  ofRoute(method = '', path = ''): HandledOperation | undefined {
    return this.paths.get(path)?.operations.get(method === 'HEAD' ? 'GET' : method);
  }
}

function requestHeaderNames(operations: readonly HandledOperation[]): readonly string[] {
  return [...new Set(operations.flatMap(requestHeadersOf).map(({ name }) => name))];
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
    return { path: route, target: targetsOf(route), operations: ofPath, headers };
  });
  return new Map(paths.map((path) => [path.path, path]));
}

/** What targets of requests for a path look like. @param path as Express writes it, with whole segments as parameters: `/v1/pets/:petId` */
export function targetsOf(path: string): RegExp {
  if (!/^(?:\/:?[\w-]+)+$/.test(path)) throw new Error(`"${path}" is not a path of plain segments.`);
  return new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}(?:\\?|$)`);
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
