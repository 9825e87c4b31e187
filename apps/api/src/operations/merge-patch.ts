import { JSON_MEDIA_TYPE } from '@petstore/http-kernel';

/** Media types of a JSON Merge Patch (RFC 7396): a client that knows nothing of it sends JSON. */
export const MERGE_PATCH_MEDIA_TYPES = ['application/merge-patch+json', JSON_MEDIA_TYPE];
