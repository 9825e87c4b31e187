export { Answer, JSON_MEDIA_TYPE } from './answer.js';
export { type AnswerHeaders, ApiError, type ApiErrorDetails, errorBody } from './api-error.js';
export { type CatalogueEntry, ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from './error-catalogue.js';
export { JsonNumber } from './json-number.js';
export { type JsonObject, JsonObjectError, MAX_JSON_DEPTH, parseJsonObject } from './json-object.js';
export { assignRequestId, chooseRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
export { formatLinks, type WebLink } from './web-link.js';
