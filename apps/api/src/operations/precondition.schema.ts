import type { SchemaObject } from '@petstore/http-kernel';

const TAG = '(?:W/)?"[!#-~\\u0080-\\u00FF]*"';

/** `*` or a list of entity tags (RFC 9110, section 13.1.1); what the document does not say: 64 tags at most. */
export const PRECONDITION_SCHEMA: SchemaObject = {
  type: 'string',
  pattern: `^(?:\\*|[\\t ,]*${TAG}(?:[\\t ]*,[\\t ,]*${TAG})*[\\t ,]*)$`,
};
