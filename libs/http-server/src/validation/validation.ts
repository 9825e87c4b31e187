import { createParamDecorator, type ExecutionContext, Query } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestBody } from '../body/request-body.js';
import { compiledDtoOf, type DtoClass } from '../dto/compiled-dto.js';
import { Documented } from '../openapi/documented.decorator.js';

/** By handler. */
const mediaTypesOf = new WeakMap<object, readonly string[]>();
const bodyHandlers = new WeakSet();

/** The handler reads bodies of these media types. */
export function AcceptMediaTypes(mediaTypes: readonly string[]): MethodDecorator {
  return (_target, _key, descriptor) => {
    mediaTypesOf.set(descriptor.value as object, mediaTypes);
  };
}

/** Media types that a handler accepts for its body. */
export function acceptedMediaTypes(handler: object): readonly string[] {
  return mediaTypesOf.get(handler) ?? ['application/json'];
}

/** Whether a handler reads the body of its requests. */
export function readsBody(handler: object): boolean {
  return bodyHandlers.has(handler);
}

const CheckedQuery = createParamDecorator((dto: DtoClass, context: ExecutionContext) => {
  const { query } = context.switchToHttp().getRequest<Request>();
  return compiledDtoOf(dto).parse(query, 'invalid_parameter');
});

/**
 * The query parameters as a checked DTO: `@QueryParameters(SomeQuery) query: SomeQuery`. Does what `@Query()`
 * with a pipe would, and is documented like it, but at once: for a pipe Nest makes five promises a request.
 *
 * @throws UnsupportedDtoError at the start
 */
export function QueryParameters(dto: DtoClass): ParameterDecorator {
  compiledDtoOf(dto);
  return (target, method, index) => {
    CheckedQuery(dto)(target, method, index);
    // Comes too late to have a part in handling requests.
    Documented(() => () => {
      Query()(target, method, index);
    })(target, method ?? '');
  };
}

interface BodyOptions {
  readonly dto: DtoClass;
  /** Whether an empty body is an empty object. */
  readonly isOptional: boolean;
}

const CheckedBody = createParamDecorator(
  async ({ dto, isOptional }: BodyOptions, context: ExecutionContext) => {
    const http = context.switchToHttp();
    const compiled = compiledDtoOf(dto);
    const mediaTypes = acceptedMediaTypes(context.getHandler());
    const body = new RequestBody(http.getRequest<Request>(), http.getResponse<Response>());
    return compiled.parse(await body.read(compiled.names, { isOptional, mediaTypes }), 'validation_failed');
  },
);

/**
 * The request body as a checked DTO. Reading starts here, when the handler's arguments are made: after
 * the key and the limit. Once the body is there, the request takes its place among those at work.
 *
 * @throws UnsupportedDtoError at the start
 */
export function JsonBody(dto: DtoClass): ParameterDecorator {
  return bodyParameter({ dto, isOptional: false });
}

/**
 * The same for an operation whose requests may have no body, which then needs no Content-Type and is checked like an
 * empty object.
 *
 * @throws UnsupportedDtoError at the start
 */
export function OptionalJsonBody(dto: DtoClass): ParameterDecorator {
  return bodyParameter({ dto, isOptional: true });
}

function bodyParameter(options: BodyOptions): ParameterDecorator {
  compiledDtoOf(options.dto);
  return (target, method, index) => {
    CheckedBody(options)(target, method, index);
    if (method !== undefined) bodyHandlers.add(Reflect.get(target, method) as object);
  };
}
