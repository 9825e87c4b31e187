import { JSON_MEDIA_TYPE, type ResponseHeaders } from '@petstore/http-kernel';
import type { OperationDeclaration } from './operation.js';

/** What is answered for a path that has operations with these methods, sorted: HEAD goes with GET. */
export function allowedMethods(methods: readonly string[]): readonly string[] {
  return [...new Set(['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();
}

/** Header fields that say how a path can be used: Allow, and Accept-Patch (RFC 5789, section 3.1). */
export function pathHeaders(operations: readonly OperationDeclaration[]): ResponseHeaders {
  const patch = operations.find(({ method }) => method === 'PATCH');
  return {
    Allow: allowedMethods(operations.map(({ method }) => method)).join(', '),
    ...(patch === undefined ? {} : { 'Accept-Patch': mediaTypesOf(patch).join(', ') }),
  };
}

function mediaTypesOf({ body }: OperationDeclaration): readonly string[] {
  return body?.mediaTypes ?? [JSON_MEDIA_TYPE];
}
