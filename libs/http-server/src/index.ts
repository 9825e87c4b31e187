export { bodyOptionsOf, JsonBodyOptions } from './body/request-body.js';
export {
  contextOf,
  REQUEST_OBSERVER,
  type RequestContext,
  RequestContexts,
  type RequestObserver,
} from './context/request-context.js';
export { requireForm } from './context/request-form.js';
export { ParseBy } from './dto/parse-by.decorator.js';
export { ApiError, isStoreUnavailable } from './errors/api-error.js';
export { ERROR_MAPPER, type ErrorMapper } from './errors/error.filter.js';
export {
  assembleErrorCatalogue,
  definitionOfRefusal,
  defineErrors,
  type ErrorDefinition,
  HTTP_ERRORS,
} from './errors/http.errors.js';
export {
  defineHeaders,
  distinctHeaders,
  formatLinks,
  type HeaderDefinition,
  type HeaderObject,
  headerReferences,
  HTTP_HEADERS,
  integerHeader,
  type ResponseHeaders,
  type SchemaObject,
  setHeaders,
  textHeader,
  type WebLink,
} from './headers/headers.js';
export { HttpServerModule } from './http-server.module.js';
export { JsonNumber } from './json/json-object.js';
export { ErrorResponses, errorExamples, errorSchema } from './openapi/error-document.js';
export { entityTag, isNotModified, requireEntityTags } from './responses/preconditions.js';
export {
  EmptyResponse,
  HANDED_OVER,
  JSON_MEDIA_TYPE,
  JsonResponse,
  otherMethod,
  READ_ONLY,
} from './responses/responses.js';
export { StrictExpressAdapter } from './server/strict-express.adapter.js';
export { GracefulShutdown, SHUTDOWN_TIMES, type ShutdownTimes } from './shutdown/graceful-shutdown.js';
