import { createParamDecorator, type ExecutionContext, Query } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import type { Request, Response } from 'express';
import {
  acceptedMediaTypes,
  ApiError,
  Documented,
  type ErrorDefinition,
  type HttpErrorCode,
} from '@petstore/http-kernel';
import { noteBodyHandler } from '../body/body-handlers.js';
import { readJsonObject, readOptionalJsonObject } from '../body/json-body.js';
import { overloadError } from '../load-shedding/overload.error.js';
import { placeOf } from '../load-shedding/request-places.js';
import { DtoChecks } from './dto-checks.js';
import { queryParameters } from './query-parameters.js';

type DtoClass<Dto extends object> = new () => Dto;

/**
 * The members of `input` that `dto` declares, checked as its decorators say. Members that it does not
 * declare are never looked at, so nothing can be assigned that was not meant to be.
 *
 * @throws ApiError with the error that the failed check carries, else `fallback`
 */
export function validated<Dto extends object>(
  dto: DtoClass<Dto>,
  input: Readonly<Record<string, unknown>>,
  fallback: HttpErrorCode,
): Dto {
  const checks = checksOf(dto);
  const instance = new dto();
  for (const property of checks.names) {
    if (Object.hasOwn(input, property)) Reflect.set(instance, property, input[property]);
  }
  if (checks.hold(instance)) return instance;
  const errors = validateSync(instance, { validationError: { target: false, value: false } });
  // The two must agree, or a refusal would have no words.
  if (errors.length === 0) throw new Error(`The checks of ${dto.name} are not those of class-validator.`);
  throw new ApiError(definitionOf(errors) ?? fallback, {
    message: `${errors.flatMap(messagesOf).join('; ')}.`,
  });
}

const CheckedQuery = createParamDecorator((dto: DtoClass<object>, context: ExecutionContext) => {
  const { url } = context.switchToHttp().getRequest<Request>();
  return validated(dto, queryParameters(url, checksOf(dto).names), 'invalid_parameter');
});

/**
 * The query parameters as a checked DTO: `@QueryParameters(SomeQuery) query: SomeQuery`. Does what `@Query()`
 * with a pipe would, and is documented like it, but at once: for a pipe Nest makes five promises a request.
 *
 * @throws UnsupportedDtoError at the start
 */
export function QueryParameters(dto: DtoClass<object>): ParameterDecorator {
  checksOf(dto);
  return (target, method, index) => {
    CheckedQuery(dto)(target, method, index);
    // Comes too late to have a part in handling requests.
    Documented(() => () => {
      Query()(target, method, index);
    })(target, method ?? '');
  };
}

interface BodyOptions {
  readonly dto: DtoClass<object>;
  /** Whether an empty body is an empty object. */
  readonly isOptional: boolean;
}

const CheckedBody = createParamDecorator(
  async ({ dto, isOptional }: BodyOptions, context: ExecutionContext) => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { names } = checksOf(dto);
    const mediaTypes = acceptedMediaTypes(context.getHandler());
    const read = isOptional ? readOptionalJsonObject : readJsonObject;
    const body = await read(request, http.getResponse<Response>(), names, mediaTypes);
    if (placeOf(request)?.take() === false) throw overloadError();
    return validated(dto, body, 'validation_failed');
  },
);

/**
 * The request body as a checked DTO. Reading starts here, when the handler's arguments are made: after
 * the key and the limit. Once the body is there, the request takes its place among those at work.
 *
 * @throws UnsupportedDtoError at the start
 */
export function JsonBody(dto: DtoClass<object>): ParameterDecorator {
  return bodyParameter({ dto, isOptional: false });
}

/**
 * The same for an operation whose requests may have no body, which then needs no Content-Type and is checked like an
 * empty object.
 *
 * @throws UnsupportedDtoError at the start
 */
export function OptionalJsonBody(dto: DtoClass<object>): ParameterDecorator {
  return bodyParameter({ dto, isOptional: true });
}

function bodyParameter(options: BodyOptions): ParameterDecorator {
  checksOf(options.dto);
  return (target, method, index) => {
    CheckedBody(options)(target, method, index);
    if (method !== undefined) noteBodyHandler(Reflect.get(target, method) as object);
  };
}

const known = new Map<DtoClass<object>, DtoChecks<object>>();

function checksOf(dto: DtoClass<object>): DtoChecks<object> {
  let checks = known.get(dto);
  if (checks === undefined) {
    checks = new DtoChecks(dto);
    known.set(dto, checks);
  }
  return checks;
}

function messagesOf({ constraints = {} }: ValidationError): string[] {
  return Object.values(constraints);
}

function definitionOf(errors: readonly ValidationError[]): ErrorDefinition | undefined {
  for (const { contexts = {} } of errors) {
    for (const context of Object.values(contexts) as { error?: ErrorDefinition }[]) {
      if (context.error !== undefined) return context.error;
    }
  }
  return undefined;
}
