export { bodyOptionsOf, JsonBodyOptions } from './body/request-body.js';
export { RequestContextMiddleware } from './context/request-context.middleware.js';
export { contextOf, type RequestContext } from './context/request-context.js';
export { RequestFormMiddleware } from './context/request-form.middleware.js';
export { REQUEST_OBSERVER, type RequestObserver } from './context/request-observer.js';
export { DtoPipe } from './dto/dto.pipe.js';
export { ParseBy } from './dto/parse-by.decorator.js';
export { ApiError, isStoreUnavailable } from './errors/api-error.js';
export { assembleErrorCatalogue, defineErrors, type ErrorDefinition } from './errors/define-errors.js';
export { ERROR_MAPPER, type ErrorMapper } from './errors/error-mapper.js';
export { HTTP_ERRORS } from './errors/http.errors.js';
export {
  defineHeaders,
  distinctHeaders,
  type HeaderDefinition,
  headerReferences,
  integerHeader,
  textHeader,
} from './headers/define-headers.js';
export { HTTP_HEADERS } from './headers/http.headers.js';
export type { HeaderObject, SchemaObject } from './headers/define-headers.js';
export { formatLinks, type ResponseHeaders, setHeaders, type WebLink } from './headers/response-headers.js';
export { HttpServerModule } from './http-server.module.js';
export { JsonNumber } from './json/index.js';
export { ErrorResponses, errorExamples, errorSchema } from './openapi/error-document.js';
export { entityTag, isNotModified, requireEntityTags } from './responses/responses.js';
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
