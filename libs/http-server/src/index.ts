export { StrictExpressAdapter } from './adapter/strict-express.adapter.js';
export { bodyOptionsOf, JsonBodyOptions } from './body/request-body.js';
export { ConnectionTable } from './connections/connection-table.js';
export { DtoPipe } from './dto/dto.pipe.js';
export { ParseBy } from './dto/parse-by.decorator.js';
export { EdgeMiddleware } from './edge/edge.middleware.js';
export type { RequestRecord } from './edge/request-record.js';
export { ApiError, isStoreUnavailable } from './errors/api-error.js';
export { assembleErrorCatalogue, defineErrors, type ErrorDefinition } from './errors/define-errors.js';
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
export { LoadShedder } from './load-shedding/load-shedder.js';
export { ErrorResponses, errorExamples, errorSchema } from './openapi/error-document.js';
export type { DropReason, HttpServerOptions, RequestPolicy } from './options/http-server.options.js';
export { TargetInterceptor } from './edge/request-record.js';
export { entityTag, isNotModified, requireEntityTags } from './responses/responses.js';
export {
  EmptyResponse,
  JSON_MEDIA_TYPE,
  JsonResponse,
  otherMethod,
  READ_ONLY,
} from './responses/responses.js';
export { GracefulShutdown } from './shutdown/graceful-shutdown.js';
