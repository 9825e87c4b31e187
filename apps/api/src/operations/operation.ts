import type { ANY_SECRET_KEY } from '@petstore/api-key';
import {
  type ErrorDefinition,
  type HeaderDefinition,
  JSON_MEDIA_TYPE,
  type SchemaObject,
} from '@petstore/http-server';

export const MERGE_PATCH_MEDIA_TYPE = 'application/merge-patch+json';

/** Media types of a JSON Merge Patch (RFC 7396): a client that does not know it sends JSON. */
export const MERGE_PATCH_MEDIA_TYPES = [MERGE_PATCH_MEDIA_TYPE, JSON_MEDIA_TYPE];

/** Methods that operations may have. HEAD and OPTIONS follow from them. */
export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What `@Operation` says of a handler: its scope, and what the document needs beyond route and parameters. */
export interface OperationOptions {
  /** Its name in the document, in the log, in metrics and in traces. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** The guard requires it; `insufficient_scope` without it. `ANY_SECRET_KEY`: every secret key may. */
  readonly scope: string | typeof ANY_SECRET_KEY;
  readonly success: Success;
  /** Other ways to succeed, each with a status of its own. */
  readonly alternatives?: readonly Success[];
  /** Beyond those of every operation, and those that follow from the members below. */
  readonly errors?: readonly ErrorDefinition[];
  readonly params?: readonly Parameter[];
  readonly body?: RequestBody;
  /** A list by pages: it takes `limit` and `cursor`, and has a `Link` to the next page. */
  readonly isPaged?: boolean;
  /** 304 and 412 by preconditions (RFC 9110, section 13.1): the handler returns `readResponse` or `pageResponse`. */
  readonly isConditional?: boolean;
  /**
   * A write that is carried out only if preconditions, where a request has some, are met by the current state: the
   * handler takes `@WritePrecondition()`. A success with a body has an ETag.
   */
  readonly hasPreconditions?: boolean;
  /** Carried out once for each `Idempotency-Key`: the handler takes `@IdempotencyKey()`. */
  readonly isIdempotent?: boolean;
  /** It has no `bad_request`: an id that is none is 404 (docs/contract.md, "Operations"). */
  readonly isNeverBadRequest?: boolean;
  /** The page of the guide that shows how it is used, where that is not the one of its resource. */
  readonly guide?: string;
  /** Release that it came with; none for those of docs/released/openapi-1.0.0.json. */
  readonly since?: string;
  readonly deprecation?: DeprecationOptions;
}

/** Where `@Operation` keeps what it says of a handler. */
export const OPERATION = Symbol('operation');

/** What `@Operation` says of a handler; `undefined` for one that is no operation of the contract. */
export function operationOf(handler: object): OperationOptions | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined;
}

/** What `@Resource` says of a controller: a group of operations, as the document shows them. */
export interface ResourceOptions {
  readonly tag: {
    readonly name: string;
    readonly description: string;
    /** The page of the guide that shows how its operations are used. */
    readonly guide: string;
  };
  /** DTO classes of responses, which stand in the document by name. */
  readonly models?: readonly (new () => object)[];
  /** Schemas that decorators cannot make, such as named arrays. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
  /** Requests that the service itself sends, by name (OpenAPI 3.1, "webhooks"). */
  readonly webhooks?: Readonly<Record<string, object>>;
}

/** The response when all went well. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Name of a schema of the document; none for 204. */
  readonly schema?: string;
  readonly example?: unknown;
  readonly headers?: readonly HeaderDefinition[];
}

/** A parameter in the path or a header field of a request. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  /** Pages and generators of requests send it as it is: it must be usable, and more than once. */
  readonly example?: unknown;
}

export interface RequestBody {
  /** Class of the handler's `@Body()`; its `@JsonBodyOptions` say the media types, and whether it may be missing. */
  readonly dto: new () => object;
  readonly description: string;
  /** At least one, by name. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

/** That an operation is going to be removed, and what replaces it. */
export interface DeprecationOptions {
  /** The setting that says since when (RFC 9745). */
  readonly since: 'getPetDeprecatedSince';
  /** The setting that says whether it goes on its removal date. */
  readonly afterSunset: 'getPetAfterSunset';
  /** Removal date (RFC 8594). */
  readonly sunset: Date;
  readonly successor: {
    readonly method: OperationMethod;
    /** Below `API_BASE_PATH`. */
    readonly path: string;
    /** How it is used, in Markdown: "with a `status` filter". */
    readonly usage: string;
  };
}

/** An operation of the application: what `@Operation` says, and the route that Nest's decorators give its handler. */
export interface HandledOperation extends OperationOptions {
  readonly method: OperationMethod;
  /** Below `API_BASE_PATH`, as Express writes it: `/pets/:petId`. */
  readonly path: string;
  readonly handler: object;
}

/**
 * Names operations by their ids, for `@Operation`: the controller has routes and use cases, the resource's `*.docs.ts` what
 * the document says of them.
 */
export function defineOperations<Id extends string>(
  operations: Readonly<Record<Id, Omit<OperationOptions, 'id'>>>,
): Readonly<Record<Id, OperationOptions>> {
  const named = Object.entries<Omit<OperationOptions, 'id'>>(operations).map(([id, options]) => [
    id,
    { ...options, id },
  ]);
  return Object.fromEntries(named) as Record<Id, OperationOptions>;
}

/** @param schema its name in the document */
type SuccessOf = (description: string, schema: string, example: unknown) => Success;

const successWith =
  (status: Success['status']): SuccessOf =>
  (description, schema, example) => ({ status, description, schema, example });

/** 200. */
export const ok = successWith(200);
/** 201. */
export const created = successWith(201);
/** 202. */
export const accepted = successWith(202);
/** 204. */
export const noContent = (description: string): Success => ({ status: 204, description });
