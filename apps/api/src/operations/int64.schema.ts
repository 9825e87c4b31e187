import { INT64_MAX } from '@petstore/pet-domain';

/** 1 to 2^63 - 1. OpenAPI types have no int64: the bound is printed digit for digit by the document's writer. */
export const INT64_SCHEMA = {
  type: 'integer',
  format: 'int64',
  minimum: 1,
  maximum: BigInt(INT64_MAX) as unknown as number,
} as const;

/** 0 to 2^63 - 1. */
export const COUNT_SCHEMA = { ...INT64_SCHEMA, minimum: 0 } as const;
