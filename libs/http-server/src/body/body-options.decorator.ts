import { SetMetadata } from '@nestjs/common';

/** How the body that a DTO class describes is sent. */
export interface BodyOptions {
  /** Whether a request may have no body, which then needs no Content-Type and is checked like an empty object. */
  readonly isOptional?: boolean;
  /** Media types that are accepted, all of JSON texts, in lower case, without parameters. */
  readonly mediaTypes?: readonly string[];
}

const BODY_OPTIONS = 'petstore:body-options';
const USUAL: Required<BodyOptions> = { isOptional: false, mediaTypes: ['application/json'] };

/** Says of a DTO class how the body is sent: `@JsonBodyOptions({ isOptional: true }) class OrderReasonDto`. */
export function JsonBodyOptions(options: BodyOptions): ClassDecorator {
  return SetMetadata(BODY_OPTIONS, options);
}

/** How the body that a DTO class describes is sent: one JSON object as `application/json`, unless it says otherwise. */
export function bodyOptionsOf(dto: object): Required<BodyOptions> {
  return { ...USUAL, ...(Reflect.getMetadata(BODY_OPTIONS, dto) as BodyOptions | undefined) };
}
