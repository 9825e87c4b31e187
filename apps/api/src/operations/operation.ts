import type { ANY_KEY } from '@petstore/api-key';
import type { ErrorDefinition, HeaderDefinition, SchemaObject } from '@petstore/http-kernel';

/** Path that every operation stands under; in the document it is part of the servers (specification, section 9). */
export const API_BASE_PATH = '/v1';

/** Methods that operations may have. HEAD and OPTIONS are answered wherever they make sense. */
export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation of the contract, declared once: everything that anybody asks about it comes from here. */
export interface OperationDeclaration {
  /** Its name in the document, in the log, in metrics and in traces. */
  readonly id: string;
  readonly method: OperationMethod;
  /** Below {@link API_BASE_PATH}, as Express writes it: `/pets/:petId`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The guard asks for it; `insufficient_scope` without it. `ANY_KEY`: whoever has an accepted key may. */
  readonly scope: string | typeof ANY_KEY;
  readonly success: Success;
  /** Other ways to succeed, each with a status of its own. */
  readonly alternatives?: readonly Success[];
  /** Beyond those of every operation. */
  readonly errors: readonly ErrorDefinition[];
  readonly pathParameters?: readonly Parameter[];
  /** Header fields that a request may carry for this operation; pages of other origins may send them. */
  readonly requestHeaders?: readonly Parameter[];
  readonly body?: RequestBody;
  /** Answered 304 to If-None-Match (RFC 9110, section 13.1.2); the handler returns a conditional JsonResponse. */
  readonly isConditional?: boolean;
  /**
   * Carried out only if If-Match, where a request has one, names the current state (RFC 9110, section 13.1.1): the
   * handler takes `@IfMatch()`. A success with a body has an ETag.
   */
  readonly isGuarded?: boolean;
  /** Release that it came with, beyond those of the specification. */
  readonly since?: string;
  readonly deprecation?: DeprecationDeclaration;
}

/** What is answered when all went well. */
export type Success = SuccessWithBody | SuccessWithoutBody;

export interface SuccessWithBody {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  /** Name of a schema of the document. */
  readonly schema: string;
  readonly example: unknown;
  readonly headers?: readonly HeaderDefinition[];
}

/** The handler returns an EmptyResponse. */
export interface SuccessWithoutBody {
  readonly status: 204;
  readonly description: string;
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
  /** DTO class, as the handler's `@JsonBody` has it. */
  readonly dto: new () => object;
  readonly description: string;
  /** At least one, by name. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  /** Whether the request may have no body, which is then an empty object; the handler takes `@OptionalJsonBody`. */
  readonly isOptional?: boolean;
  /** JSON media types that are accepted; `application/json` unless said. */
  readonly mediaTypes?: readonly string[];
}

/** That an operation is going to be removed, and what takes its place. */
export interface DeprecationDeclaration {
  /** Since when; an operator's setting may say another date. */
  readonly since: Date;
  /** Removal date (RFC 8594). */
  readonly sunset: Date;
  readonly successor: {
    readonly method: OperationMethod;
    /** Below {@link API_BASE_PATH}. */
    readonly path: string;
    /** How it is used, in Markdown: "with a `status` filter". */
    readonly usage: string;
  };
}

/** Whether the success of an operation has a body. */
export function hasBody(success: Success): success is SuccessWithBody {
  return success.status !== 204;
}
