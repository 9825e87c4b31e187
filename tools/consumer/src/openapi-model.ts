/** The parts of an OpenAPI document that matter to consumers. */
export interface OpenApi {
  readonly info: { readonly version: string };
  /** Requests that consumers send; none in the document of the webhooks. */
  readonly paths?: Readonly<Record<string, PathItem>>;
  /** Requests that the service sends, by name; only in the document of the webhooks. */
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Header>>;
    readonly securitySchemes?: Readonly<Record<string, unknown>>;
  };
}

/** Operations by their methods in lower case; other members are for all of them. */
export type PathItem = Readonly<Record<string, Operation>>;

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

export interface Header {
  readonly $ref?: string;
  readonly schema?: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  /** Also several. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly 'x-codes'?: readonly string[];
}

/** What a schema comes to when its references are followed and its `allOf` is put together. */
export function resolveSchema(document: OpenApi, { $ref, allOf = [], ...own }: Schema): Schema {
  const parts = [...allOf];
  if ($ref !== undefined) parts.push(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  return parts.reduce<Schema>((whole, part) => ({ ...resolveSchema(document, part), ...whole }), own);
}

export function resolveHeader(document: OpenApi, { $ref, ...header }: Header): Header {
  return $ref === undefined ? header : (document.components.headers?.[$ref.split('/').at(-1) ?? ''] ?? {});
}
