export { AcceptMediaTypes, acceptedMediaTypes } from './body/accepted-media-types.js';
export { ApiError, type ApiErrorDetails, errorBody } from './errors/api-error.js';
export {
  defineErrors,
  type ErrorDefinition,
  type ErrorDefinitions,
  type ErrorRow,
} from './errors/define-errors.js';
export { assembleErrorCatalogue } from './errors/error-catalogue.js';
export { HTTP_ERRORS, type HttpErrorCode } from './errors/http.errors.js';
export {
  defineHeaders,
  distinctHeaders,
  type HeaderDefinition,
  type HeaderDefinitions,
  headerReferences,
  integerHeader,
  textHeader,
} from './headers/define-headers.js';
export { HTTP_HEADERS } from './headers/http.headers.js';
export { assignRequestId, chooseRequestId, REQUEST_ID_HEADER, requestIdOf } from './headers/request-id.js';
export { type ResponseHeaders, setHeaders } from './headers/response-headers.js';
export { formatLinks, type WebLink } from './headers/web-link.js';
export { JsonNumber } from './json/json-number.js';
export { type JsonObject, parseJsonObject } from './json/json-object.js';
export { isStoreUnavailable } from './errors/is-store-unavailable.js';
export { JsonObjectError, MAX_JSON_DEPTH } from './json/json-object.error.js';
export { JsonText } from './json/json-text.js';
export { Documented, loadDocumentation, type Swagger } from './openapi/documented.decorator.js';
export { ErrorAnswers, errorExamples } from './openapi/error-answers.decorator.js';
export { errorSchema } from './openapi/error.dto.js';
export { Undocumented, UndocumentedRoute } from './openapi/undocumented.decorator.js';
export type { HeaderObject, SchemaObject } from './openapi-types.js';
export { EmptyResponse } from './response/empty-response.js';
export { entityTag, matchesEntityTag, matchesStrongly } from './response/entity-tag.js';
export { FinishedResponse } from './response/finished-response.js';
export { helpLink, JSON_MEDIA_TYPE, JsonResponse } from './response/json-response.js';
