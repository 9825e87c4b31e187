interface Media {
  schema: object;
  examples: Record<string, { value: object }>;
}
export interface Operation {
  operationId: string;
  'x-since'?: string;
  tags: string[];
  description: string;
  deprecated?: boolean;
  security: unknown;
  parameters?: { name: string; in: string; required?: boolean; 'x-since'?: string; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
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
    securitySchemes: object;
  };
}
