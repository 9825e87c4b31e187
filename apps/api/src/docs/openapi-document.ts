import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type ErrorDefinition, errorExamples, errorSchema, type SchemaObject } from '@petstore/http-server';
import { removedMessage } from '../operations/sunset.interceptor.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { API_BASE_PATH } from '../paths.js';
import { SECURITY_SCHEME } from '../operations/operation-document.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import type { ResourceOptions } from '../operations/operation.js';
import { InstanceDescription } from './instance-description.js';
import { openApiJson } from './openapi-writer.js';
import { shareResponses } from './shared-responses.js';
import { createWebhooksDocument, type WebhooksDocument } from './webhooks-document.js';

/** Of the contract (docs/contract.md, "Versions"); releases of the service are counted in CHANGELOG.md. */
const CONTRACT_VERSION = '1.0.0';

const DESCRIPTION = [
  'Programs browse and manage individual animals available for adoption.',
  'Every request needs an API key, sent as `Authorization: Bearer <API_KEY>`. Requests are limited per key in two sliding windows, 60 seconds and 24 hours; every response says how much is left.',
  'A query parameter that an operation with query parameters does not have is refused with `invalid_parameter`; names that begin with `_` are ignored.',
  // Relative, for the docs page and the committed document alike.
  'The requests that the service itself sends to webhooks are in a document of their own, [openapi-webhooks.json](openapi-webhooks.json).',
].join('\n\n');

const INFO = {
  title: 'Pet Store Service',
  version: CONTRACT_VERSION,
  description: DESCRIPTION,
  license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
};

/** The OpenAPI documents that an instance serves. */
export interface OpenApiDocuments {
  readonly api: OpenAPIObject;
  readonly webhooks: WebhooksDocument;
}

/** The OpenAPI documents of the operations that `app` has, made from their decorators, as this instance serves them. */
export function createOpenApiDocuments(app: INestApplication): OpenApiDocuments {
  const api = createApiDocument(app);
  return { api, webhooks: createWebhooksDocument(api, app.get(OperationRegistry)) };
}

function createApiDocument(app: INestApplication): OpenAPIObject {
  const registry = app.get(OperationRegistry);
  const builder = new DocumentBuilder().setOpenAPIVersion('3.1.0').addSecurity(SECURITY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, as an operator of the service gives it out.',
  });
  for (const tag of tagsOf(registry)) builder.addTag(tag.name, tag.description);
  const { openapi, tags = [], paths, components = {} } = SwaggerModule.createDocument(app, builder.build());
  const { servers, externalDocs, contact } = app.get(InstanceDescription);
  const referenced = openApiJson({ paths });
  const pages = new Map(registry.resources.map(({ tag }) => [tag.name, tag.guide]));
  for (const { id, guide } of registry.operations) if (guide !== undefined) pages.set(id, guide);
  const guideOf = ({ operationId = '', tags: [tag = ''] = [] }: DocumentedOperation): string =>
    pages.get(operationId) ?? pages.get(tag) ?? '';
  const responses = shareResponses(paths);
  return {
    openapi,
    info: { ...INFO, ...(contact !== undefined && { contact }) },
    externalDocs,
    servers: [...servers],
    tags,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path.slice(API_BASE_PATH.length),
        inOrder(item, (operation) => `${externalDocs.url}/guide/${guideOf(operation)}`),
      ]),
    ),
    components: {
      ...components,
      schemas: {
        ...components.schemas,
        ...Object.fromEntries(registry.resources.flatMap(({ schemas = {} }) => Object.entries(schemas))),
        Error: errorSchema(components.schemas?.['Error'] as SchemaObject, registry.errors),
      },
      responses,
      headers: onlyReferenced(
        'headers',
        Object.fromEntries(registry.responseHeaders.map(({ name, component }) => [name, component])),
        referenced,
      ),
      examples: onlyReferenced(
        'examples',
        errorExamples(registry.errors, exampleMessage(registry)),
        referenced,
      ),
    },
  };
}

/** Each tag once, in the order of the resources: the docs page groups the operations by it. */
function tagsOf({ resources }: OperationRegistry): Iterable<ResourceOptions['tag']> {
  return new Map(resources.map(({ tag }) => [tag.name, tag])).values();
}

type PathItem = OpenAPIObject['paths'][string];

interface DocumentedParameter {
  readonly 'x-since'?: string;
}

const RELEASES = new Intl.Collator('en', { numeric: true });

interface DocumentedOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly DocumentedParameter[];
}

/**
 * The operations of a path with the parameters of later releases behind all others: generators make positional arguments
 * from the order. Each leads to the guide.
 *
 * @param guideOf where the guide shows how an operation is used
 */
function inOrder(item: PathItem, guideOf: (operation: DocumentedOperation) => string): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]: [string, DocumentedOperation]) => [
      method,
      {
        ...operation,
        externalDocs: {
          description: 'How it is used, in the guide.',
          url: guideOf(operation),
        },
        ...(operation.parameters && { parameters: operation.parameters.toSorted(byRelease) }),
      },
    ]),
  );
}

function byRelease(one: DocumentedParameter, other: DocumentedParameter): number {
  return RELEASES.compare(one['x-since'] ?? '', other['x-since'] ?? '');
}

/** The example of a removed operation says what the first deprecated one does. */
function exampleMessage({ operations }: OperationRegistry): (error: ErrorDefinition) => string {
  const [deprecation] = operations.flatMap(({ deprecation = [] }) => deprecation);
  return (error) =>
    error === OPERATION_ERRORS.operation_removed && deprecation !== undefined
      ? removedMessage(deprecation)
      : error.message;
}

function onlyReferenced<Component>(
  kind: string,
  all: Record<string, Component>,
  text: string,
): Record<string, Component> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
}
