import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { SchemaObject } from '@petstore/http-server';

/** A group of operations, as the document shows them. */
export interface ResourceOptions {
  readonly tag: { readonly name: string; readonly description: string };
  /** DTO classes of responses, which stand in the document by name. */
  readonly models?: readonly (new () => object)[];
  /** Schemas that decorators cannot make, such as named arrays. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
  /** Requests that the service itself sends, by name (OpenAPI 3.1, "webhooks"). */
  readonly webhooks?: Readonly<Record<string, object>>;
}

const RESOURCE = Symbol('resource');

/** Describes a controller of operations in the document. */
export function Resource(options: ResourceOptions): ClassDecorator {
  const { tag, models = [] } = options;
  return applyDecorators(ApiTags(tag.name), ApiExtraModels(...models), SetMetadata(RESOURCE, options));
}

/** What {@link Resource} says of a controller; `undefined` for one without operations of the contract. */
export function resourceOf(controller: object): ResourceOptions | undefined {
  return Reflect.getMetadata(RESOURCE, controller) as ResourceOptions | undefined;
}
