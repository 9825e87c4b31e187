interface Media {
  schema: object;
  examples: Record<string, { value: object }>;
}
interface Response {
  description: string;
  headers?: object;
  content?: Record<string, Media>;
}
export interface Operation {
  operationId: string;
  'x-since'?: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security: unknown;
  parameters?: { name: string; in: string; required?: boolean; 'x-since'?: string; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
}
/** What the tests read of an OpenAPI document (OpenAPI 3.1). */
export interface Document {
  openapi: string;
  info: { version: string; description: string };
  servers: { url: string; variables?: object }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, { properties?: Record<string, object> }>;
    examples: Record<string, { value: unknown }>;
    responses?: Record<string, Response>;
    securitySchemes: object;
  };
}

/** A document, with the responses that operations share in each of them. */
export function readDocument(text: string): Document {
  const document = JSON.parse(text) as Document;
  const shared = document.components.responses ?? {};
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const [status, { $ref = '' }] of Object.entries(
      operation.responses as Record<string, { $ref?: string }>,
    )) {
      const response = shared[$ref.replace('#/components/responses/', '')];
      if (response !== undefined) operation.responses[status] = response;
    }
  }
  return document;
}
